// The least that an `npm start` with a database could do: a bare server, and PostgreSQL by pg_ctl beside it. It answers
// 200 once both are there. Plain JavaScript: npm runs it on the Node of the machine, as it does our launcher.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const { command, cluster, folder, credentials } = JSON.parse(process.env.BARE_DATABASE)

const control = (...args) =>
  new Promise((resolve) => {
    const options = { ...credentials, cwd: '/', stdio: 'ignore' }
    spawn(command, [...args, '-D', cluster, '-w'], options).once('exit', resolve)
  })

let isReady = false
const server = createServer((_request, response) => response.writeHead(isReady ? 200 : 503).end())
const settings = `-c listen_addresses='' -k ${folder}`
const starting = control('start', '-l', '/dev/null', '-o', settings)
server.listen(Number(process.env.PORT), '127.0.0.1')
isReady = (await starting) === 0

process.on('SIGTERM', async () => {
  await control('stop', '-m', 'fast')
  process.exit(0)
})
