import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { it } from 'node:test'
import { NOTHING_HOSTED } from '../../../src/core/servers/hosted.ts'
import { AGENT, type AgentMachine, agentMachine, lastReport, type Programs, TOKEN } from './agent-machine.ts'

/** The life of the agent under a shell that has these programs: installed, reporting, refused, removed. */
export function testAgentLife(name: string, shell: string[], programs: Programs): void {
  it(`is installed, reports and is removed under ${name}`, async (t) => {
    const machine = await agentMachine(t, programs)
    const { run, service, installed } = machine

    const install = await run(shell, [], machine.script)
    assert.equal(install.status, 0, install.output)
    assert.match(install.output, /^upbeat-agent: reports once a minute by .*--uninstall\n$/)
    assert.deepEqual(
      machine.files().filter((file) => !file.includes('loop.')),
      [
        '.upbeat-agent',
        '.upbeat-agent/agent.conf',
        '.upbeat-agent/agent.sh',
        '.upbeat-agent/state',
        ...(programs.curl ? [] : ['.upbeat-agent/state/report']),
      ],
    )
    const conf = installed.replace('agent.sh', 'agent.conf')
    assert.equal(readFileSync(conf, 'utf8'), `url = "${service.address}"\n`)
    assert.equal(statSync(conf).mode & 0o777, 0o600)
    assert.equal(readFileSync(installed, 'utf8').includes(TOKEN), false)
    assertTold(machine)

    service.answer.text = 'ok top'
    assert.deepEqual(await run(shell, [installed]), { status: 0, output: '' })
    assert.deepEqual(lastReport(machine).top, [])
    service.answer.text = 'ok'
    assert.deepEqual(await run(shell, [installed]), { status: 0, output: '' })
    assert.ok(lastReport(machine).top.length > 0)
    assert.deepEqual(await run(shell, [installed]), { status: 0, output: '' })
    assert.deepEqual(lastReport(machine).top, [])
    assert.equal(service.received.length, 4)

    service.answer = { status: 404, text: '' }
    const refused = await run(shell, [installed])
    assert.equal(refused.status, 1)
    assert.match(refused.output, /upbeat-agent: the service did not take the report\n$/)
    assert.equal(refused.output.includes(TOKEN), false)

    assert.deepEqual(await run(shell, [installed, '--uninstall']), {
      status: 0,
      output: 'upbeat-agent: removed\n',
    })
    assert.deepEqual(machine.files(), [])
  })
}

/** Its lists of containers and units, of programs that answer oddly, under a shell that has these programs. */
export function testAgentLists(name: string, shell: string[], given: Programs): void {
  it(`tells of containers and units only where it is asked to, with why not all of them, under ${name}`, async (t) => {
    const id = (letter: string) => `${letter}${'0'.repeat(63)}`
    const DOCKER = `case $1 in
      ps) echo WARNING: odd; echo ${id('a')}; echo ${id('b')} ;;
      inspect) printf 'running healthy 3 0 /web nginx:1.27\\nexited  0 137 /db; $(id) \`id\` %s\\n' "$(printf '%0300d' 0)"; echo 'Error: no such container' >&2; exit 1 ;;
    esac`
    const SYSTEMCTL = `case $* in
      *'-- *.service a.socket') printf '%s\\n' '  nginx.service   loaded    active   running A server' '* gone.service not-found inactive dead x' 'odd' ;;
      *) exit 1 ;;
    esac`
    const programs = {
      ...given,
      ...{ docker: { script: DOCKER }, systemctl: { script: SYSTEMCTL } },
    }
    const machine = await agentMachine(t, programs)
    const usual = await machine.run(shell, [], machine.script)
    assert.equal(usual.status, 0, usual.output)
    assert.equal(lastReport(machine).hosted, null)

    const install = await machine.run(
      shell,
      ['-s', '--', '--containers', '--units=*.service a.socket'],
      machine.script,
    )
    assert.equal(install.status, 0, install.output)
    const { containers, units } = lastReport(machine).hosted ?? NOTHING_HOSTED
    assert.deepEqual(
      containers?.list.map(({ name, state, health, restarts }) => [name, state, health, restarts]),
      [
        ['web', 'running', 'healthy', 3],
        ['db;', 'exited', null, 0],
      ],
    )
    assert.equal(containers?.trouble, 'Error: no such container')
    assert.deepEqual(units, {
      list: [{ name: 'nginx.service', active: 'active', sub: 'running' }],
      trouble: null,
    })
  })
}

/** Every Linux tells this. */
function assertTold(machine: AgentMachine): void {
  const { machine: facts, gauges, counters, takenAt } = lastReport(machine)
  assert.equal(machine.service.received.at(-1)?.type, 'text/plain')
  assert.equal(facts.agent_version, /^version=(\S+)/m.exec(AGENT)?.[1])
  assert.match(facts.machine_id ?? '', /^[0-9a-f]{64}$/)
  for (const fact of ['host_name', 'kernel', 'architecture', 'cpus', 'boot_id'] as const)
    assert.ok(facts[fact], fact)
  assert.ok(takenAt)
  for (const name of [
    'memory_total_bytes',
    'memory_available_bytes',
    'load_1',
    'uptime_seconds',
    'processes',
  ]) {
    assert.ok((gauges[name] ?? -1) >= 0, name)
  }
  assert.equal(counters.clock, 'uptime')
  assert.ok((counters.values.cpu_user_seconds ?? 0) > 0)
}
