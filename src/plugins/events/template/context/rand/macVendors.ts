/**
 * Some prefixes of MAC addresses that the IEEE has registered (MA-L) for each vendor, as `aa:bb:cc`. A few are
 * enough: they are for addresses that look right, not for looking vendors up.
 */
export const MAC_PREFIXES: ReadonlyMap<string, readonly string[]> = new Map([
  ['apple', ['00:03:93', '10:9a:dd', '3c:07:54', '7c:6d:62', 'd8:a2:5e', 'f0:b4:79']],
  ['aruba', ['00:0b:86', '00:1a:1e', '00:24:6c', '6c:f3:7f', 'd8:c7:c8']],
  ['broadcom', ['00:0a:f7', '00:10:18', '18:c0:86']],
  ['cisco', ['00:00:0c', '00:01:42', '00:01:43', '00:40:96', '58:bc:27', 'c8:4c:75']],
  ['dell', ['00:14:22', '14:fe:b5', '18:03:73', '5c:26:0a', '78:2b:cb', 'f0:4d:a2']],
  ['fortinet', ['00:09:0f', '08:5b:0e', '70:4c:a5', '90:6c:ac']],
  ['hp', ['00:01:e6', '00:01:e7', '3c:4a:92', '64:31:50', '78:ac:c0', 'd8:d3:85']],
  ['huawei', ['00:e0:fc', '08:19:a6', '28:6e:d4', '4c:1f:cc', '54:89:98', '78:1d:ba']],
  ['ibm', ['00:02:55', '08:00:5a', '10:00:5a', '5c:f3:fc', 'e4:1f:13']],
  ['intel', ['00:1b:21', '08:11:96', '0c:d2:92', '24:77:03', '64:80:99', '8c:a9:82']],
  ['juniper', ['28:c0:da', '2c:6b:f5', '50:c5:8d', '5c:5e:ab', '80:71:1f', 'b0:c6:9a']],
  ['lenovo', ['00:06:1b', '00:12:fe', '60:d9:a0', 'd8:71:57']],
  ['microsoft', ['00:03:ff', '00:0d:3a', '00:15:5d', '00:50:f2', '7c:ed:8d']],
  ['mikrotik', ['00:0c:42', '4c:5e:0c', '64:d1:54', '6c:3b:6b', 'd4:ca:6d']],
  ['netgear', ['00:09:5b', '30:46:9a', 'a0:21:b7', 'c0:3f:0e', 'c4:3d:c7', 'e0:91:f5']],
  ['paloalto', ['00:1b:17', '00:86:9c', '08:30:6b', 'b4:0c:25']],
  ['samsung', ['00:00:f0', '10:1d:c0', '3c:5a:37', '78:47:1d', 'e4:e0:c5', 'fc:a1:3e']],
  ['tplink', ['54:e6:fc', '74:ea:3a', '94:0c:6d', 'd8:5d:4c', 'e0:05:c5', 'f4:ec:38']],
  ['ubiquiti', ['00:15:6d', '00:27:22', '04:18:d6', '24:a4:3c', '44:d9:e7', '68:72:51']],
  ['vmware', ['00:05:69', '00:0c:29', '00:1c:14', '00:50:56']],
]);
