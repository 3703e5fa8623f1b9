/** Words for pseudonyms of people and machines; none is a word of logs. */
export const PEOPLE =
  `amara bashir celine dario elif farid greta hiro ingrid jonas kavya leila mateo nadia oskar priya quentin rosa sanjay
tove umar vera wanda ximena yusuf zelda anouk bruno chiara dmitri emeka fatou gustav hanna ivo jelena kwame lucia
milan noor olga paolo rania stefan tamar ulrich vesna willem yara zoran aiko boris cosima dunja edda felipe goran
henrik ilse jarek kalina lorenz mirela niko ottilie pavel ruben sina timon ursel valentin wiebke yannick zdenka`.split(
    /\s+/,
  );

export const MACHINES =
  `alder aspen birch cedar cypress elder fir hazel hemlock holly juniper larch laurel linden maple myrtle oak olive
pine poplar redwood rowan sequoia spruce sycamore tamarack walnut willow yew acacia banyan baobab bamboo cassia
chestnut cork ebony elm fig ginkgo hawthorn hickory ironwood jacaranda kapok magnolia mangrove medlar mulberry
palmetto pecan plane quince rosewood rubber sandalwood sorrel teak thuja tupelo wattle wisteria zelkova`.split(
    /\s+/,
  );

/** Accounts of systems and words for nobody: the same everywhere, so they are not private. */
export const COMMON_NAMES: ReadonlySet<string> = new Set(
  `root admin administrator daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc gnats nobody
system local service network localhost localdomain postgres mysql redis nginx apache httpd sshd messagebus syslog
_apt default guest anonymous anon unknown none null nil undefined unset true false yes no user users username login
host hostname server client session account test example get post put head delete patch options info warn warning
error debug notice critical fatal trace kernel systemd cron sudo su ssh ftp http https tcp udp icmp www com net org the and
for from with clickhouse rabbitmq kafka mongodb elasticsearch docker kubelet containerd self utc gmt`.split(
    /\s+/,
  ),
);
