/** The text of a report, as the agent sends it; `uptime` in seconds. */
export function agentText({
  uptime = 1_000,
  machine = 'machine-1',
  boot = 'boot-1',
  host = 'web-1',
  /** Percent of its file system. */
  used = 40,
  availableKilobytes = 4_000_000,
  padding = '',
} = {}): string {
  return `upbeat-agent 1 1.0
@host
${host}
@kernel
Linux 6.1.0 x86_64
@machine
${machine}
@boot
${boot}
@uptime
${uptime}.00 ${uptime}.00
@stat
cpu  ${uptime * 10} 0 ${uptime * 10} ${uptime * 80} 0 0 0 0 0 0
@cpus
2
@loadavg
0.10 0.20 0.30 1/100 1000
@meminfo
MemTotal:        8000000 kB
MemAvailable:    ${availableKilobytes} kB
SwapTotal:             0 kB
SwapFree:              0 kB
@df
Filesystem     1024-blocks     Used Available Capacity Mounted on
/dev/sda1        100000000 ${used}000000  ${100 - used}000000      ${used}% /
@mounts
/dev/sda1 / ext4 rw 0 0
@net
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
  eth0: ${uptime * 1_000} 1 0 0 0 0 0 0 ${uptime * 500} 1 0 0 0 0 0 0
@diskstats
   8       0 sda 100 0 ${uptime * 20} 10 100 0 ${uptime * 40} 10 0 ${uptime * 10} 20
${padding}`
}
