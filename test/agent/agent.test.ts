import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { SERIES } from '../../src/core/servers/series.ts'
import { testAgentLife, testAgentLists } from '../support/agent/agent-life.ts'
import { AGENT, agentMachine, CLIENT, find, lastReport, TOKEN } from '../support/agent/agent-machine.ts'

describe('the agent', () => {
  testAgentLife("this machine's shell", ['/bin/sh'], CLIENT)

  it('fits on a page', () => {
    const lines = AGENT.trimEnd().split('\n')
    assert.ok(lines.length <= 210, `${lines.length} lines`)
    assert.deepEqual(
      lines.filter((line) => line.length > 120),
      [],
    )
  })

  it('installs what was read, if it is a file', async (t) => {
    const machine = await agentMachine(t, CLIENT)
    const file = join(machine.folder, 'install')
    writeFileSync(file, machine.script.replace('version=1', 'version=7'))
    const { status, output } = await machine.run(['/bin/sh'], [file])
    assert.equal(status, 0, output)
    assert.match(readFileSync(machine.installed, 'utf8'), /^version=7/m)
    assert.match(lastReport(machine).machine.agent_version ?? '', /^7/)
    const removed = await machine.run(['/bin/sh'], [file, '--uninstall'])
    assert.equal(removed.output, 'upbeat-agent: removed\n')
    assert.deepEqual(machine.files(), [])
  })

  it('puts its address into the arguments of no program', async (t) => {
    const [name, client] = Object.entries(CLIENT)[0] as [string, { path: string }]
    const machine = await agentMachine(t, {
      [name]: { script: `echo "$@" >>"$HOME/../arguments"\nexec ${client.path} "$@"` },
    })
    await machine.run(['/bin/sh'], [], machine.script)
    await machine.run(['/bin/sh'], [machine.installed])
    assert.equal(machine.service.received.length, 2)
    const seen = readFileSync(join(machine.folder, 'arguments'), 'utf8')
    assert.ok(seen.includes('text/plain'))
    if (name === 'curl') assert.equal(seen.includes(TOKEN), false, seen)
  })

  it('reports without its file systems if asking for them hangs', async (t) => {
    const machine = await agentMachine(t, {
      ...CLIENT,
      df: { script: `exec ${find('sleep')} 600` },
      // The same, without the seconds.
      timeout: { script: `shift 3; exec ${find('timeout')} -s KILL 0.2 "$@"` },
    })
    const { status, output } = await machine.run(['/bin/sh'], [], machine.script)
    assert.equal(status, 0, output)
    const { gauges } = lastReport(machine)
    assert.deepEqual(
      Object.keys(gauges).filter((key) => key.includes(':')),
      [],
    )
    assert.ok(gauges.memory_total_bytes)
  })

  testAgentLists("this machine's shell", ['/bin/sh'], CLIENT)

  it('tells why it has no list where a program hangs or is missing', async (t) => {
    const machine = await agentMachine(t, {
      ...CLIENT,
      docker: { script: `exec ${find('sleep')} 600` },
      timeout: { script: `shift 3; exec ${find('timeout')} -s KILL 0.2 "$@"` },
    })
    const { status, output } = await machine.run(
      ['/bin/sh'],
      ['-s', '--', '--containers', '--units'],
      machine.script,
    )
    assert.equal(status, 0, output)
    assert.deepEqual(lastReport(machine).hosted, {
      containers: { list: [], trouble: 'docker ps did not answer' },
      units: { list: [], trouble: 'systemctl is not installed' },
    })
  })

  it('refuses options that it does not have, and patterns that a shell would take for more', async (t) => {
    const machine = await agentMachine(t, CLIENT)
    for (const option of [
      '--container',
      '--containers=sh',
      '--units=',
      '--units=a;b',
      "--units='",
      '--units=a|b',
      '--units=$x',
    ]) {
      const { status, output } = await machine.run(['/bin/sh'], ['-s', '--', option], machine.script)
      assert.deepEqual([status, output.includes(`upbeat-agent: ${option}`)], [1, true], output)
    }
    assert.deepEqual(machine.files(), [])
  })

  it('says what it lacks', async (t) => {
    const machine = await agentMachine(t, {})
    assert.deepEqual(await machine.run(['/bin/sh'], [], machine.script), {
      status: 1,
      output: 'upbeat-agent: neither curl nor wget is installed\n',
    })
    assert.deepEqual(machine.files(), [])
  })

  it('says so if its first report is refused, and goes on trying', async (t) => {
    const machine = await agentMachine(t, CLIENT)
    machine.service.answer = { status: 409, text: 'another machine reports with this token' }
    const { status, output } = await machine.run(['/bin/sh'], [], machine.script)
    assert.equal(status, 1)
    assert.match(output, /the first report failed; it is tried again each minute\n$/)
    assert.ok(machine.files().includes('.upbeat-agent/agent.sh'))
  })
})

describe('the agent for Windows', () => {
  const script = readFileSync(join(import.meta.dirname, '../../agent/upbeat-agent.ps1'), 'utf8')

  it('has the version of the other one', () => {
    assert.equal(/^\$Version = '(.*)'/m.exec(script)?.[1], /^version=(\S+)/m.exec(AGENT)?.[1])
  })

  it('names only known sections and figures', () => {
    const known = new Set([...AGENT.matchAll(/(?:show |@)([a-z_]+)/g)].map(([, name]) => name))
    for (const [, name] of AGENT.matchAll(/([a-z]+):(?:sys|uptime)/g)) known.add(name)
    for (const name of ['gauges', 'counters']) known.add(name)
    const sections = [...script.matchAll(/^ +'@([a-z_]+)'/gm)].map(([, name]) => name as string)
    assert.ok(sections.length > 8)
    assert.deepEqual(
      sections.filter((name) => !known.has(name)),
      [],
    )
    const figures = [...script.matchAll(/^ +"([a-z_]+)[: ].*\$\(Format-Number/gm)].map(
      ([, name]) => name as string,
    )
    assert.ok(figures.length > 10)
    const counters = /^(cpu_(user|system|idle)|disk_busy)_seconds$/
    assert.deepEqual(
      figures.filter((name) => !Object.hasOwn(SERIES, name) && !counters.test(name)),
      [],
    )
  })
})
