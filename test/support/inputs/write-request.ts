import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** A series as node_exporter names it: `node_cpu_seconds_total{cpu="0",mode="idle"}`, its value, and milliseconds. */
export type WrittenSeries = [series: string, value: number, at: number]

/** A WriteRequest of Prometheus remote write 1.0, not packed. */
export function writeRequest(
  series: readonly WrittenSeries[],
  more: Record<string, string> = { instance: 'web-1:9100', job: 'node' },
): Uint8Array {
  const request = new BinaryWriter()
  for (const [text, value, at] of series) {
    request.tag(1, WireType.LengthDelimited).fork()
    for (const [name, label] of Object.entries({ ...labelsOf(text), ...more })) {
      request.tag(1, WireType.LengthDelimited).fork()
      request.tag(1, WireType.LengthDelimited).string(name)
      request.tag(2, WireType.LengthDelimited).string(label)
      request.join()
    }
    request.tag(2, WireType.LengthDelimited).fork()
    request.tag(1, WireType.Bit64).double(value)
    request.tag(2, WireType.Varint).int64(at)
    request.join().join()
  }
  return request.finish()
}

function labelsOf(text: string): Record<string, string> {
  const [, name = '', pairs = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(text) ?? []
  const labels = [...pairs.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value] as const)
  return { __name__: name, ...Object.fromEntries(labels) }
}

/** A scrape of node_exporter with this many CPUs, in its order, with what Prometheus adds. */
export function scrape(at: number, { cpus = 2, seconds = 1_000 } = {}): WrittenSeries[] {
  const ext4 = (mount: string, device: string) => `{device="${device}",fstype="ext4",mountpoint="${mount}"}`
  const cpu = Array.from({ length: cpus }, (_, index) => index).flatMap((index) =>
    ['idle', 'iowait', 'irq', 'nice', 'softirq', 'steal', 'system', 'user'].map((mode): [string, number] => [
      `node_cpu_seconds_total{cpu="${index}",mode="${mode}"}`,
      mode === 'idle' ? seconds * 0.75 : mode === 'user' ? seconds * 0.25 : 0,
    ]),
  )
  const mounts = [ext4('/', '/dev/sda1'), ext4('/var', '/dev/sda2'), ext4('/var/lib/docker', '/dev/sda2')]
  const each = (name: string, values: number[]): [string, number][] =>
    mounts.map((labels, index) => [name + labels, values[index] as number])
  const lines: [string, number][] = [
    ['go_goroutines', 8],
    ['node_boot_time_seconds', at / 1000 - 86_400],
    ...cpu,
    ['node_disk_io_time_seconds_total{device="sda"}', seconds / 10],
    ['node_disk_io_time_seconds_total{device="sda1"}', seconds / 10],
    ['node_disk_read_bytes_total{device="sda"}', seconds * 1_000],
    ['node_disk_written_bytes_total{device="sda"}', seconds * 2_000],
    ...each('node_filesystem_avail_bytes', [60e9, 10e9, 10e9]),
    ...each('node_filesystem_files', [1_000, 2_000, 2_000]),
    ...each('node_filesystem_files_free', [900, 500, 500]),
    ...each('node_filesystem_free_bytes', [70e9, 12e9, 12e9]),
    ...each('node_filesystem_size_bytes', [100e9, 102e9, 102e9]),
    ['node_filesystem_avail_bytes{device="tmpfs",fstype="tmpfs",mountpoint="/run"}', 1e9],
    ['node_hwmon_temp_celsius{chip="cpu",sensor="temp1"}', 51],
    ['node_hwmon_temp_celsius{chip="nvme",sensor="temp1"}', 38],
    ['node_load1', 0.5],
    ['node_load15', 0.3],
    ['node_load5', 0.4],
    ['node_memory_MemAvailable_bytes', 6e9],
    ['node_memory_MemTotal_bytes', 8e9],
    ['node_memory_SwapFree_bytes', 1e9],
    ['node_memory_SwapTotal_bytes', 2e9],
    ['node_network_receive_bytes_total{device="eth0"}', seconds * 300],
    ['node_network_receive_bytes_total{device="lo"}', seconds],
    ['node_network_receive_bytes_total{device="veth12"}', seconds],
    ['node_network_receive_errs_total{device="eth0"}', 1],
    ['node_network_transmit_bytes_total{device="eth0"}', seconds * 400],
    ['node_network_transmit_errs_total{device="eth0"}', 2],
    ['node_pressure_io_waiting_seconds_total', seconds / 100],
    ['node_systemd_unit_state{name="a.service",state="failed",type="simple"}', 1],
    ['node_systemd_unit_state{name="a.service",state="active",type="simple"}', 0],
    ['node_systemd_unit_state{name="b.service",state="failed",type="simple"}', 0],
    ['node_uname_info{machine="x86_64",nodename="web-1",release="6.1.0",sysname="Linux"}', 1],
    ['up', 1],
  ]
  return lines.map(([series, value]) => [series, value, at])
}
