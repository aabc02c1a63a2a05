import pg from 'pg'

/** The rows of one statement, over a connection of its own. */
export async function askOnce(config: pg.ClientConfig, sql: string) {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
