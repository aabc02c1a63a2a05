import { shownLine } from '../language/hidden-characters.ts'
import { MAX_PART_NAME_LENGTH } from './series.ts'

/** Mapped, stacked, virtual and removable: what they do is counted at the disks below, or is no disk's work. */
const NO_DISK = /^(loop|ram|zram|dm-|md|sr|fd|zd|bcache|drbd|mtdblock|cd|pass|ses|nvme\d+c\d)/

/**
 * Ends of virtual cables, bridges and tunnels of containers: what passes them is counted at a real interface, too. Networks of
 * Kubernetes name the ends by a hash: Cilium `lxc…`, Amazon `eni…`, Google `gke…`, Azure `azv…`, Calico `cali…`, Weave `vethwe…`.
 */
const NO_INTERFACE =
  /^(lo\d*$|veth|docker|br-|ifb|virbr|vmbr|lxcbr|lxdbr|incusbr|fwbr|fwpr|fwln|tap|vnet|cni|cali|cilium_|lxc_health|lxc[0-9a-f]{6,}|eni[0-9a-f]{6,}|gke[0-9a-f]{6,}|azv[0-9a-f]{6,}|flannel|vxlan|genev|ovs-system|ovn0|antrea-|weave|datapath|kube-bridge|kube-dummy|nodelocaldns|podman|nerdctl|dummy|sit\d|tunl\d|gre\d|gretap\d|erspan\d|ip6tnl\d|ip6gre\d|kube-ipvs|bonding_masters|awdl|llw|anpi|gif\d|stf\d|utun|pflog|pfsync|enc\d|usbus)/

/** Types of file systems whose space is not that of a disk of this machine, or cannot change. */
const NO_FILE_SYSTEM =
  /^(overlay|squashfs|tmpfs|devtmpfs|ramfs|erofs|iso9660|udf|cramfs|nfs\d?|cifs|smb\w*|fuse|fuse\..*|9p|virtiofs|afs|ceph|autofs|proc|procfs|sysfs|devfs|devpts|fdescfs|linprocfs|linsysfs|nullfs|cgroup2?|nsfs|aufs|efivarfs|none)$/

export function isFileSystemType(type: string): boolean {
  return !NO_FILE_SYSTEM.test(type)
}

/** Whole disks: a partition begins with the name of another one, as `sda1` and `nvme0n1p1` do. */
export function wholeDisks(names: readonly string[]): Set<string> {
  const all = new Set(names)
  const isPartition = (name: string) => {
    const disk = /^(.*?\d)p\d+$/.exec(name)?.[1] ?? /^(.*?\D)\d+$/.exec(name)?.[1]
    return disk !== undefined && all.has(disk)
  }
  return new Set(names.filter((name) => name !== '' && !NO_DISK.test(name) && !isPartition(name)))
}

/** `members`: those that are bonded into another one, which counts what they carry. */
export function isInterface(name: string, members: ReadonlySet<string> = new Set()): boolean {
  return name !== '' && !NO_INTERFACE.test(name) && !members.has(name)
}

/** The name of a part of a machine as it is kept, or null if nothing readable is left of it. */
export function partName(text: string): string | null {
  return readable(text, MAX_PART_NAME_LENGTH)
}

/** Text of a machine, as one line that can be stored and shown; null if nothing is left. */
export function readable(text: string, max: number): string | null {
  const trimmed = shownLine(text.toWellFormed()).trim()
  const points = trimmed.length <= max ? trimmed : [...trimmed].slice(0, max).join('').trim()
  return points === '' ? null : points
}
