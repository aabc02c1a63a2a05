import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { hostname, totalmem } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksIn } from '../support/documents/docs-blocks.ts'
import { reportingServer, runUntilEnd } from '../support/inputs/reporting-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Debian: apt-get install glances python3-influxdb
test('Glances writes what it knows, by the documented configuration', async (context) => {
  const { address, reported } = await reportingServer(context)
  const folder = temporaryFolder(context)
  const documented = blocksIn('ini').find(({ text }) => text.startsWith('[influxdb]'))
  const file = join(folder, 'glances.conf')
  const text = (documented?.text ?? '')
    .replace('upbeat.example.com/server/TOKEN', address.replace('http://', ''))
    .replace('protocol=https', 'protocol=http')
  writeFileSync(file, text)
  // A test does not wait a minute, and stays below the limit of requests with what it asks for.
  const plugins = 'cpu,mem,memswap,load,fs,network,diskio,uptime,processcount,system'
  const args = ['-C', file, '--export', 'influxdb', '--quiet', '--time', '4', '--enable-plugin', plugins]
  runUntilEnd(context, 'glances', args, folder)

  const { machine, latest } = await reported(
    'cpu_percent',
    'load_1',
    'uptime_seconds',
    'memory_available_bytes',
    'processes',
  )
  assert.equal(machine.source, 'influx')
  assert.equal(machine.host_name, hostname().split('.')[0])
  assert.ok(Math.abs((latest.memory_total_bytes ?? 0) - totalmem()) < 1e6)
  assert.ok(Object.keys(latest).some((key) => key.startsWith('file_system_used_percent:/')))
})
