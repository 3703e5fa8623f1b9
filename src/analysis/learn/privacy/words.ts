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

/** Accounts of systems, words for nobody, and words of logs: the same everywhere, so they are not private. */
export const COMMON_NAMES: ReadonlySet<string> = new Set(
  `root admin administrator administrators daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc gnats nobody
system local service services network localhost localdomain postgres mysql redis nginx apache httpd sshd messagebus syslog
_apt default guest anonymous anon unknown none null nil undefined unset true false yes no not user users username login
host hostname server client session account test example get post put head delete patch options connect trace info warn warning
error errors debug notice critical fatal alert emerg kernel systemd cron crond sudo su ssh ssh2 ftp http https tcp udp icmp www com net org the and
for from with to by of on at in is was has are be as or an if it clickhouse rabbitmq kafka mongodb elasticsearch docker kubelet containerd self utc gmt
nt authority builtin logon window manager font driver invalid illegal authenticating password publickey keyboard-interactive preauth
port failed failure failures accepted accept accepting closed close closing connection connections disconnect disconnected disconnecting
received request requests response opened open started starting stopped stopping running accepted rejected reject denied deny dropped drop
allowed allow blocked block listen listening message messages event events process processes thread worker main master slave leader follower
imap pop3 smtp lmtp imap-login pop3-login submission-login managesieve-login lda auth dovecot postfix qmgr pickup cleanup smtpd bounce
nonode nohost exchange queue queued topic database table index cache file files path data time timeout status state code type kind level
success successful succeeded completed complete finished done ready ok end begin start stop exit reset timeout expired retry loading loaded
public private internal external primary secondary replica node cluster domain workgroup computer machine workstation`.split(
    /\s+/,
  ),
);
