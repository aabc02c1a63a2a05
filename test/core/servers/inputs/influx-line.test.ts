import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readInfluxLines } from '../../../../src/core/servers/inputs/influx-line.ts'
import { readLines } from '../../../../src/core/servers/inputs/line-protocol.ts'
import type { MachineReport } from '../../../../src/core/servers/machine-report.ts'

const NOW = 1_795_000_000

function read(lines: string, precision: string | null = null) {
  const reading = readInfluxLines(new TextEncoder().encode(lines), { now: NOW, precision })
  assert.ok('reports' in reading, JSON.stringify(reading))
  return reading
}

/** Lines of Telegraf's documentation of its plugins, with times of nanoseconds. */
const TELEGRAF = `
cpu,cpu=cpu0,host=web-1 usage_user=1,usage_system=1,usage_idle=98,usage_iowait=0 1795000000000000000
cpu,cpu=cpu-total,host=web-1 usage_user=20.5,usage_system=4,usage_idle=70,usage_nice=0.5,usage_iowait=3,usage_irq=0,usage_softirq=1,usage_steal=1,usage_guest=0,usage_guest_nice=0 1795000000000000000
mem,host=web-1 active=11i,available=6000000000i,available_percent=75,free=1000000000i,total=8000000000i,used=1500000000i 1795000000000000000
swap,host=web-1 free=1500000000i,total=2000000000i,used=500000000i,used_percent=25 1795000000000000000
swap,host=web-1 in=0i,out=0i 1795000000000000000
system,host=web-1 load1=0.5,load15=0.3,load5=0.4,n_cpus=4i,n_users=1i 1795000000000000000
system,host=web-1 uptime=86400i 1795000000000000000
system,host=web-1 uptime_format="1 day,  0:00" 1795000000000000000
disk,device=sda1,fstype=ext4,host=web-1,mode=rw,path=/ free=60000000000i,inodes_free=900i,inodes_total=1000i,inodes_used=100i,total=100000000000i,used=30000000000i,used_percent=33.3 1795000000000000000
disk,device=tmpfs,fstype=tmpfs,host=web-1,mode=rw,path=/run free=1i,total=2i,used=1i 1795000000000000000
diskio,host=web-1,name=sda io_time=5000i,read_bytes=1000i,write_bytes=2000i,reads=1i 1795000000000000000
diskio,host=web-1,name=sda1 io_time=5000i,read_bytes=1000i,write_bytes=2000i,reads=1i 1795000000000000000
net,host=web-1,interface=eth0 bytes_recv=300i,bytes_sent=400i,err_in=1i,err_out=2i 1795000000000000000
net,host=web-1,interface=all icmp_inerrors=0i 1795000000000000000
processes,host=web-1 running=1i,total=120i 1795000000000000000
kernel,host=web-1 boot_time=1794913600i,context_switches=3i 1795000000000000000
pressure,host=web-1,resource=io,type=some avg10=0,total=2500000u 1795000000000000000
pressure,host=web-1,resource=io,type=full avg10=0,total=1u 1795000000000000000
`

/** Lines as PVE/Status/InfluxDB.pm builds them. */
const PROXMOX = `
system,object=nodes,host=pve1 uptime=86400 1795000000000000000
cpustat,object=nodes,host=pve1 avg1=0.5,avg15=0.3,avg5=0.4,cpu=0.25,cpus=8,idle=75000,iowait=100,nice=0,system=5000,user=20000,wait=0.01 1795000000000000000
memory,object=nodes,host=pve1 memfree=1,memshared=0,memtotal=8000000000,memused=2000000000,swapfree=1500000000,swaptotal=2000000000,swapused=500000000 1795000000000000000
blockstat,object=nodes,host=pve1 bavail=60000000000,bfree=70000000000,blocks=100000000000,favail=900,ffree=900,files=1000,fper=10,fused=100,per=33,su_bavail=1,used=40000000000 1795000000000000000
nics,object=nodes,host=pve1,instance=eno1 receive=300,transmit=400 1795000000000000000
nics,object=nodes,host=pve1,instance=vmbr0 receive=300,transmit=400 1795000000000000000
system,object=qemu,vmid=100,nodename=pve1,host=a\\ guest cpu=0.5,uptime=60,name="a guest",status="running" 1795000000000000000
system,object=storages,nodename=pve1,host=local,type=dir avail=1,total=2,used=1 1795000000000000000
`

const GLANCES = `
cpu,hostname=web-1 cpucore=4.0,idle=70.0,iowait=3.0,irq=0.0,nice=0.5,softirq=1.0,steal=1.0,system=4.0,total=30.0,user=20.5,guest=0.0
diskio,disk_name=sda,hostname=web-1 key="disk_name",read_bytes=663552.0,time_since_update=2.0,write_bytes=20480.0
fs,hostname=web-1,mnt_point=/ device_name="/dev/sda1",free=60000000000.0,fs_type="ext4",size=100000000000.0,used=30000000000.0
fs,hostname=web-1,mnt_point=/etc/hosts device_name="/dev/sda1",free=60000000000.0,fs_type="ext4",size=100000000000.0,used=30000000000.0
network,hostname=web-1,interface_name=eth0 cumulative_rx=300.0,cumulative_tx=400.0,rx=1.0,is_up="true"
uptime,hostname=web-1 seconds=86400.0
processcount,hostname=web-1 total=120.0,running=2.0
`

function only(lines: string): MachineReport {
  const { reports } = read(lines)
  assert.equal(reports.length, 1)
  return reports[0] as MachineReport
}

describe('the line protocol', () => {
  it('of Telegraf is read', () => {
    const { machine, gauges, counters } = only(TELEGRAF)
    assert.equal(machine.host_name, 'web-1')
    assert.equal(machine.cpus, 4)
    assert.deepEqual(gauges, {
      cpu_percent: 27,
      cpu_user_percent: 21,
      cpu_system_percent: 5,
      cpu_iowait_percent: 3,
      cpu_steal_percent: 1,
      memory_total_bytes: 8e9,
      memory_available_bytes: 6e9,
      swap_total_bytes: 2e9,
      swap_used_bytes: 5e8,
      load_1: 0.5,
      load_5: 0.4,
      load_15: 0.3,
      processes: 120,
      uptime_seconds: 86_400,
      'file_system_size_bytes:/': 1e11,
      'file_system_used_percent:/': (100 * 30) / 90,
      'inodes_used_percent:/': 10,
    })
    assert.deepEqual(counters, {
      bootId: null,
      at: NOW,
      clock: 'wall',
      values: {
        'disk_busy_seconds:sda': 5,
        'disk_read_bytes:sda': 1_000,
        'disk_written_bytes:sda': 2_000,
        'interface_received_bytes:eth0': 300,
        'interface_sent_bytes:eth0': 400,
        'interface_errors:eth0': 3,
        pressure_io_seconds: 2.5,
      },
      times: {},
    })
  })

  it('of Telegraf without a total is the mean of all CPUs, where the request has all of them', () => {
    const line = (cpu: number) =>
      `cpu,cpu=cpu${cpu},host=web-1 usage_user=${10 * cpu},usage_system=0,usage_idle=${100 - 10 * cpu}`
    const each = (cpus: number[], more = '') =>
      [...cpus.map(line), 'system,host=web-1 n_cpus=4i,load1=1', more].join('\n')
    const { gauges } = only(each([0, 1, 2, 3]))
    assert.deepEqual([gauges.cpu_percent, gauges.cpu_user_percent], [15, 15])
    assert.equal(
      only(each([0, 1, 2])).gauges.cpu_percent,
      undefined,
      'a part of them would say something else',
    )
    const total = 'cpu,cpu=cpu-total,host=web-1 usage_user=50,usage_system=0,usage_idle=50'
    assert.equal(only(each([0, 1, 2, 3], total)).gauges.cpu_percent, 50)
  })

  it('names what it does not know', () => {
    const { reports, unknown } = read('weather,host=a temperature=20,wind=3\nnginx requests=1i')
    assert.deepEqual([reports, unknown], [[], ['weather.temperature', 'weather.wind', 'nginx.requests']])
    const many = Array.from({ length: 99 }, (_, index) => `m${index}=1`).join(',')
    assert.equal(read(`weather ${many}`).unknown.length, 5)
    assert.ok(read(`${'x'.repeat(60_000)} y=1`).unknown.every(({ length }) => length <= 80))
  })

  it('of Proxmox VE is read, without its guests and storages', () => {
    const { machine, gauges, counters } = only(PROXMOX)
    assert.equal(machine.host_name, 'pve1')
    assert.equal(machine.cpus, 8)
    assert.deepEqual(gauges, {
      memory_total_bytes: 8e9,
      memory_available_bytes: 6e9,
      swap_total_bytes: 2e9,
      swap_used_bytes: 5e8,
      load_1: 0.5,
      load_5: 0.4,
      load_15: 0.3,
      uptime_seconds: 86_400,
      'file_system_size_bytes:/': 1e11,
      'file_system_used_percent:/': (100 * 30) / 90,
      'inodes_used_percent:/': 10,
    })
    assert.deepEqual(counters.values, {
      cpu_user_seconds: 200,
      cpu_system_seconds: 50,
      cpu_idle_seconds: 750,
      cpu_iowait_seconds: 1,
      'interface_received_bytes:eno1': 300,
      'interface_sent_bytes:eno1': 400,
    })
  })

  it('of Glances, which gives no times, is read as of now', () => {
    const { machine, gauges, counters } = only(GLANCES)
    assert.equal(machine.host_name, 'web-1')
    assert.deepEqual(gauges, {
      cpu_percent: 27,
      cpu_user_percent: 21,
      cpu_system_percent: 5,
      cpu_iowait_percent: 3,
      cpu_steal_percent: 1,
      processes: 120,
      uptime_seconds: 86_400,
      'file_system_size_bytes:/': 1e11,
      'file_system_used_percent:/': (100 * 30) / 90,
      'disk_read_bytes:sda': 331_776,
      'disk_written_bytes:sda': 10_240,
    })
    assert.equal(counters.at, NOW)
    assert.deepEqual(counters.values, {
      'interface_received_bytes:eth0': 300,
      'interface_sent_bytes:eth0': 400,
    })
  })

  it('has times in the unit that the address says', () => {
    for (const [precision, time] of [
      ['s', NOW - 5],
      ['ms', (NOW - 5) * 1_000],
      ['us', (NOW - 5) * 1e6],
      [null, `${NOW - 5}000000000`],
    ] as const) {
      const { reports } = read(`net,interface=eth0 bytes_recv=1i ${time}`, precision)
      assert.equal(reports[0]?.counters.at, NOW - 5, String(precision))
    }
    assert.deepEqual(readInfluxLines(new Uint8Array(), { now: NOW, precision: 'day' }), {
      fault: 'precision must be one of n, ns, u, us, µ, ms, s, m, h; it is "day"',
    })
  })

  it('keeps the lines that can be read, and says which is the first that cannot', () => {
    const { reports, rejected } = read('system load1=1\nnonsense\nsystem load5=\nsystem load5=2i')
    assert.deepEqual(reports[0]?.gauges, { load_1: 1, load_5: 2 })
    assert.deepEqual(rejected, { count: 2, why: 'line 2: it has no field, or one without a value' })
  })

  for (const [name, line, fault] of [
    ['a measurement', ',a=b c=1', 'it has no measurement'],
    ["a tag's value", 'm,a= c=1', 'a tag has no value'],
    ['a field', 'm,a=b', 'it has no field, or one without a value'],
    ['a number', 'm a=1x', 'a value is no number, boolean or string'],
    ['the end of a string', 'm a="b\nsystem load1=1', 'a string does not end'],
    ['a time', 'm a=1 yesterday', 'its time is no whole number'],
  ] as const) {
    it(`refuses a line without ${name}`, () => {
      const text = new TextEncoder().encode(line)
      assert.deepEqual(readInfluxLines(text, { now: NOW, precision: null }), { fault: `line 1: ${fault}` })
    })
  }

  it('has escapes, strings over lines, comments and blank lines', () => {
    const { lines, why } = readLines(
      '# a comment\n\n m\\ 1\\,x,a\\=b=c\\ d,e=f\\\\g  x="say \\"\\\\\\"\nagain",y=t,z=-1.5e3,w=7i   -12\r\nn v=FALSE',
    )
    assert.equal(why, null)
    assert.deepEqual(
      lines.map((line) => ({ ...line, tags: { ...line.tags }, strings: { ...line.strings } })),
      [
        {
          measurement: 'm 1,x',
          tags: { 'a=b': 'c d', e: 'f\\g' },
          fields: new Map([
            ['y', 1],
            ['z', -1_500],
            ['w', 7],
          ]),
          strings: { x: 'say "\\"\nagain' },
          time: -12,
        },
        { measurement: 'n', tags: {}, fields: new Map([['v', 0]]), strings: {}, time: null },
      ],
    )
  })
})
