// A process of its own, which the API is compared with: a bare node:http server that answers `/<n>/<parameter>` with the
// rows of the nth statement, prepared, as JSON.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { clientConfig, type DatabaseAddress } from '../../src/postgres/database-url.ts'

export type StatementOrder = { database: DatabaseAddress; texts: string[]; connections: number }

process.on('disconnect', () => process.exit())
process.once('message', ({ database, texts, connections }: StatementOrder) => {
  const pool = new pg.Pool({ ...clientConfig(database, 'reference'), max: connections })
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const [, number = '', parameter] = (request.url ?? '').split('/')
    request.resume()
    request.on('end', async () => {
      const text = texts[Number(number)] ?? ''
      const { rows } = await pool.query({ name: `statement-${number}`, text, values: [parameter] })
      const body = Buffer.from(JSON.stringify(rows))
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
