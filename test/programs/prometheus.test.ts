import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { hostname, totalmem } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { blocksIn } from '../support/documents/docs-blocks.ts'
import { freePort } from '../support/free-port.ts'
import { reportingServer, runUntilEnd } from '../support/inputs/reporting-server.ts'
import { runProgram } from '../support/programs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Debian: apt-get install prometheus prometheus-node-exporter
test('Prometheus passes on what node_exporter says, as an agent, by the documented configuration', async (context) => {
  const { address, reported } = await reportingServer(context)
  const folder = temporaryFolder(context)
  const [exporterPort, port] = [await freePort(), await freePort()]
  const documented = blocksIn('yaml').find(
    ({ text }) => text.includes('scrape_configs') && text.includes('/server/'),
  )
  const text = (documented?.text ?? '')
    .replaceAll('https://upbeat.example.com/server/TOKEN', address)
    .replace('localhost:9100', `localhost:${exporterPort}`)
    .replace('scrape_interval: 60s', 'scrape_interval: 1s')
  assert.ok(parse(text).remote_write)
  const file = join(folder, 'prometheus.yml')
  writeFileSync(file, text)
  const { stdout, stderr } = runProgram('prometheus', ['--version'])
  const isNew = /version [3-9]/.test(stdout + stderr)
  runUntilEnd(context, 'prometheus-node-exporter', [`--web.listen-address=127.0.0.1:${exporterPort}`], folder)
  const agent = [
    isNew ? '--agent' : '--enable-feature=agent',
    `--config.file=${file}`,
    `--storage.agent.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  runUntilEnd(context, 'prometheus', agent, folder)

  const { machine, latest } = await reported(
    'cpu_percent',
    'load_1',
    'uptime_seconds',
    'memory_available_bytes',
  )
  assert.equal(machine.source, 'prometheus')
  assert.equal(machine.host_name, hostname())
  assert.ok(Math.abs((latest.memory_total_bytes ?? 0) - totalmem()) < 1e6)
  assert.ok((latest.cpu_percent ?? -1) >= 0 && (latest.cpu_percent ?? 101) <= 100)
  assert.ok(Object.keys(latest).some((key) => key.startsWith('file_system_used_percent:/')))
})
