import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { REDIRECTS } from '../../src/core/monitors/redirect.ts'
import { readAgentReport } from '../../src/core/servers/agent-report.ts'
import { withAddress } from '../../src/core/servers/agent-script.ts'
import { AGENT } from '../support/agent/agent-machine.ts'
import type { LedFindings, LedTask } from '../support/probing/led-inside.ts'
import type { ProberFindings, ProberTask } from '../support/probing/prober.ts'
import { runProgram } from '../support/programs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A machine of its own for a script, as root: the programs of this one, and all else new. `$1` is an empty folder. */
const MACHINE = `
set -e
for folder in bin sbin lib lib64 usr; do
  [ -e /$folder ] || continue
  if [ -L /$folder ]; then cp -P /$folder "$1/$folder"
  else mkdir "$1/$folder" && mount --rbind /$folder "$1/$folder"; fi
done
mkdir "$1/proc" "$1/dev" "$1/etc" "$1/tmp" "$1/root" "$1/run" "$1/fake"
mount --rbind /proc "$1/proc"
mount --rbind /dev "$1/dev"
printf 'root:x:0:0:root:/root:/bin/sh\\nnobody:x:65534:65534:nobody:/nonexistent:/bin/sh\\n' >"$1/etc/passwd"
cat >"$1/install"
`
const PROBER = join(import.meta.dirname, '../support/probing/prober.ts')
const LED_INSIDE = join(import.meta.dirname, '../support/probing/led-inside.ts')
const IN = 'PATH=/fake:/usr/bin:/bin:/usr/sbin:/sbin exec chroot "$1" /bin/sh -c "$2"'

/** Programs that say what they are asked for; those of systemd start what they are told to. */
const SYSTEMD = `
mkdir -p /run/systemd/system /etc/systemd/system
cat >/fake/systemctl <<'END'
#!/bin/sh
echo "systemctl $*" >>/calls
case "$*" in
  --version) echo 'systemd 252 (252.38-1)' ;;
  'list-units --failed'*) echo 'broken.service loaded failed failed A broken unit' ;;
  'list-units --all'*) echo 'nginx.service loaded active running A server' ;;
  'start upbeat-agent') sh /etc/upbeat/agent.sh --list-containers; CREDENTIALS_DIRECTORY=/etc/upbeat RUNTIME_DIRECTORY=/run/upbeat-agent sh /etc/upbeat/agent.sh ;;
esac
END
mkdir /run/upbeat-agent
cat >/fake/docker <<'END'
#!/bin/sh
case $1 in ps) printf '%064d\\n' 0 ;; inspect) echo 'running  0 0 /web nginx' ;; esac
END
`
const OPENRC = `
mkdir /etc/init.d
for name in rc-update rc-service; do printf '#!/bin/sh\\necho "%s $*" >>/calls\\n' $name >/fake/$name; done
`
const CURL = `
printf '#!/bin/sh\\ncat >/report; echo ok\\n' >/fake/curl
printf '#!/bin/sh\\necho "chown $*" >>/calls\\n' >/fake/chown
chmod 755 /fake/*
`

describe('the agent as root', () => {
  const machines: [name: string, prepare: string, installed: string[], calls: string[]][] = [
    [
      'under systemd',
      SYSTEMD,
      ['etc/systemd/system/upbeat-agent.service', 'etc/systemd/system/upbeat-agent.timer'],
      [
        'systemctl enable -q --now upbeat-agent.timer',
        'systemctl start upbeat-agent',
        'systemctl disable -q --now upbeat-agent.timer',
        'systemctl stop upbeat-agent',
      ],
    ],
    [
      'under OpenRC',
      OPENRC,
      ['etc/init.d/upbeat-agent'],
      [
        'chown nobody /etc/upbeat/agent.conf /etc/upbeat/state',
        'rc-update -q add upbeat-agent default',
        'rc-service -q upbeat-agent start',
        'rc-service -q upbeat-agent stop',
        'rc-update -q del upbeat-agent default',
      ],
    ],
  ]
  for (const [name, prepare, installed, calls] of machines) {
    it(`is installed ${name}, and leaves nothing when it is removed`, (t) => {
      const root = temporaryFolder(t)
      const isSystemd = name === 'under systemd'
      const script = withAddress('install', AGENT, 'https://upbeat.example.com/server/secret')
      const list = `find / -xdev \\( -path /proc -o -path /dev -o -path /usr -o -path /calls -o -path '/kept*' \\) -prune -o -print | sort`
      const story = [
        `set -e; ${prepare}${CURL}`,
        `: >/calls; ${list} >/kept-before`,
        `sh /install ${isSystemd ? '--containers --units' : ''} >/kept-output`,
        `mkdir /kept && cp -a /etc /kept/etc && cp /report /kept/report && rm /report`,
        'sh /etc/upbeat/agent.sh --uninstall',
        `rm -rf /run/upbeat-agent; ${list} | grep -v '^/run/upbeat-agent' >/kept-after`,
        `grep -v '^/run/upbeat-agent' /kept-before >/kept-there`,
      ].join('\n')
      const command = `${MACHINE}${IN}`
      runProgram('unshare', ['-rm', '/bin/sh', '-c', command, 'sh', root, story], {
        env: process.env,
        input: script,
      })
      assert.match(
        readFileSync(join(root, 'kept-output'), 'utf8'),
        /^upbeat-agent: reports once a minute by /,
      )
      for (const file of [...installed, 'etc/upbeat/agent.sh'])
        assert.ok(existsSync(join(root, 'kept', file)), file)
      assert.equal(statSync(join(root, 'kept/etc/upbeat/agent.conf')).mode & 0o777, 0o600)
      const report = readAgentReport(readFileSync(join(root, 'kept/report'), 'utf8'))
      assert.deepEqual(report?.failedUnits, isSystemd ? ['broken.service'] : [])
      const { containers, units } = report?.hosted ?? {}
      assert.deepEqual(
        [containers?.list[0]?.name, units?.list[0]?.name],
        isSystemd ? ['web', 'nginx.service'] : [undefined, undefined],
      )
      if (isSystemd) {
        const unit = readFileSync(join(root, 'kept', 'etc/systemd/system/upbeat-agent.service'), 'utf8')
        assert.match(unit, /^ExecStartPre=-\+\/bin\/sh \/etc\/upbeat\/agent\.sh --list-containers$/m)
        assert.equal(existsSync(join(root, 'run/upbeat-agent.containers')), false)
      }
      const called = readFileSync(join(root, 'calls'), 'utf8').trim().split('\n')
      assert.deepEqual(
        called.filter((call) => calls.includes(call)),
        calls,
      )
      assert.equal(
        readFileSync(join(root, 'kept-after'), 'utf8'),
        readFileSync(join(root, 'kept-there'), 'utf8'),
      )
      assert.equal(readdirSync(join(root, 'etc')).includes('upbeat'), false)
    })
  }
})

describe('the agent in namespaces of its own', () => {
  it('tells of 200 mounts each device once, and of no interface that it does not see', (t) => {
    const folder = temporaryFolder(t)
    const script = AGENT.replace("dir=''", `dir='${folder}'`)
    const mounts = Array.from({ length: 200 }, (_, i) => `/dev/sd${i % 20} /m\\\\040${i} ext4 rw 0 0`).join(
      '\n',
    )
    const story = [
      `printf '${mounts.replaceAll('\n', '\\n')}\\n' >${folder}/mounts`,
      `printf '#!/bin/sh\\nfor m; do echo "$m" >>${folder}/asked; done\\n' >${folder}/df && chmod 755 ${folder}/df`,
      `cat >${folder}/agent.sh && sed -i 's|/proc/mounts$|${folder}/mounts|' ${folder}/agent.sh`,
      `PATH=${folder}:$PATH sh ${folder}/agent.sh --show`,
    ].join('\n')
    const { stdout } = runProgram('unshare', ['-rn', '/bin/sh', '-c', story], {
      env: process.env,
      input: script,
    })
    const report = readAgentReport(stdout)
    assert.deepEqual(
      Object.keys(report?.counters.values ?? {}).filter((key) => key.startsWith('interface')),
      [],
    )
    const asked = readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')
    const expected = Array.from({ length: 20 }, (_, i) => `/m ${i}`)
    assert.deepEqual(asked, ['-kP', ...expected, '-iP', ...expected])
  })
})

describe('a redirect into a private network, where addresses are what they seem', () => {
  const [PUBLIC, INSIDE, NEIGHBOUR] = ['203.0.114.8', '10.20.30.40', '10.20.30.41']
  const GET = REDIRECTS.map(() => 'GET')
  const REDIRECTS_ALLOWED = { PRIVATE_REDIRECTS: 'allow' }
  const TARGETS_DENIED = { PRIVATE_REDIRECTS: 'allow', PRIVATE_TARGETS: 'deny' }
  const LED: [own: string, method: LedTask['method'], environment: Record<string, string>][] = [
    [PUBLIC, 'GET', {}],
    [PUBLIC, 'POST', {}],
    [NEIGHBOUR, 'GET', {}],
    [NEIGHBOUR, 'POST', {}],
    [PUBLIC, 'GET', REDIRECTS_ALLOWED],
    [PUBLIC, 'POST', REDIRECTS_ALLOWED],
    [PUBLIC, 'GET', TARGETS_DENIED],
  ]
  let findings: LedFindings[]

  before(() => {
    // One process for all of them: each would load the probes anew.
    findings = inNetwork<LedFindings[]>(
      [
        'ip link set lo up',
        ...[PUBLIC, INSIDE, NEIGHBOUR].map((address) => `ip addr add ${address}/32 dev lo`),
      ],
      LED_INSIDE,
      LED.map(([own, method, environment]): LedTask => ({ environment, own, inside: INSIDE, method })),
    )
    assert.equal(findings.length, LED.length)
  })

  const lead = (own: string, method: LedTask['method'], environment = {}) =>
    findings[LED.findIndex((one) => isDeepStrictEqual(one, [own, method, environment]))] as LedFindings
  const causesOf = ({ found }: LedFindings) => [...new Set(found.map(({ errorMessage }) => errorMessage))]

  it('is not followed from a public address, with the settings that nobody has changed', () => {
    const got = lead(PUBLIC, 'GET')
    assert.deepEqual(causesOf(got), [`redirects to a private address: ${INSIDE}`])
    assert.equal(got.accepted, 0)
    const posted = lead(PUBLIC, 'POST')
    assert.equal(posted.accepted, 0)
    assert.equal(
      posted.found.every(({ status }) => status === 'down'),
      true,
    )
  })

  it('is followed by GET alone among private addresses, and where the operator allows it', () => {
    for (const [own, environment] of [
      [NEIGHBOUR, {}],
      [PUBLIC, REDIRECTS_ALLOWED],
    ] as const) {
      const got = lead(own, 'GET', environment)
      assert.deepEqual([causesOf(got), got.arrived], [[null], GET])
      // After 301, 302 and 303; with 307 and 308 it would stay a POST.
      assert.deepEqual(lead(own, 'POST', environment).arrived, ['GET', 'GET', 'GET'])
    }
  })

  it('is not allowed by that setting where private targets are denied', () => {
    const got = lead(PUBLIC, 'GET', TARGETS_DENIED)
    assert.deepEqual([causesOf(got), got.accepted], [[`address ${INSIDE} is not allowed`], 0])
  })
})

/** Checks in a network of its own, whose settings a script has made. */
function checkAfter(script: string[], task: Pick<ProberTask, 'starve' | 'checks'>): ProberFindings {
  return inNetwork(script, PROBER, { nameServers: ['127.0.0.1:53'], ...task } satisfies ProberTask)
}

/** The findings that a program of ours prints there. */
function inNetwork<Findings>(script: string[], program: string, task: unknown): Findings {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', program, JSON.stringify(task)]
  const shell = ['/bin/sh', '-c', ['set -e', ...script, 'exec "$@"'].join('\n'), 'sh']
  const args = ['--user', '--map-root-user', '--net', ...shell, ...node]
  return JSON.parse(runProgram('unshare', args, { env: process.env }).stdout)
}

describe('a connection that gets no address of ours (EADDRNOTAVAIL)', () => {
  const LOOPBACK = 'ip link set lo up'

  it('is pending for want of a port, and judged as soon as there is one again', () => {
    const { starved, fed } = checkAfter(
      [LOOPBACK, 'echo 40000 40007 > /proc/sys/net/ipv4/ip_local_port_range'],
      {
        starve: 'ports',
        checks: [
          { type: 'http', url: 'http://127.0.0.1/' },
          { type: 'http', url: 'http://[::1]/' },
          { type: 'http', url: 'http://shop.example/', request_timeout_seconds: 1 },
          { type: 'keyword', url: 'http://localhost/' },
          { type: 'ssl', url: 'https://127.0.0.1/' },
          { type: 'tcp', url: 'tcp://127.0.0.1', port: 80 },
        ],
      },
    )
    assert.deepEqual(
      starved.map(({ status, errorMessage }) => `${status}: ${errorMessage}`),
      Array(6).fill('pending: no local port left'),
    )
    assert.deepEqual(
      fed.map(({ status }) => status),
      ['down', 'down', 'pending', 'down', 'down', 'down'],
      JSON.stringify(fed),
    )
  })

  it('is pending for want of an address where this machine has none of that family', () => {
    const { fed } = checkAfter([LOOPBACK, 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6'], {
      starve: null,
      checks: [
        { type: 'http', url: 'http://[2001:db8::1]/' },
        { type: 'tcp', url: 'tcp://[2001:db8::1]', port: 80 },
        { type: 'icmp', url: 'icmp://[2001:db8::1]' },
        { type: 'http', url: 'http://127.0.0.1/' },
        { type: 'http', url: 'http://localhost/' },
      ],
    })
    assert.deepEqual(
      fed.map(({ status, errorMessage }) => `${status}: ${errorMessage}`),
      [
        ...Array(3).fill('pending: no local address'),
        ...Array(2).fill('down: connection refused by 127.0.0.1:80'),
      ],
    )
  })
})
