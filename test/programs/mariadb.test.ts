import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Assertion } from '../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { exitOf } from '../support/exit.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
const authority = createAuthority('MariaDB')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const SETUP = `
CREATE USER watcher@'127.0.0.1' IDENTIFIED BY 'pä ss:word';
CREATE USER other@'127.0.0.1' IDENTIFIED VIA ed25519 USING PASSWORD('secret');
CREATE DATABASE shop;
GRANT ALL ON shop.* TO watcher@'127.0.0.1';
CREATE TABLE shop.jobs (id BIGINT, price DECIMAL(10, 2), name VARCHAR(20), done DATETIME NULL);
INSERT INTO shop.jobs VALUES (7, 1.50, 'Größe', NULL), (8, 2.25, 'b', NULL);
`

describe('a check of a real MariaDB server', () => {
  const scope = suiteScope()
  let port = 0

  before(async () => {
    const folder = temporaryFolder(scope)
    const data = join(folder, 'data')
    port = await closedPort(scope)
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    await writeFile(join(folder, 'cert.pem'), cert)
    await writeFile(join(folder, 'key.pem'), key)
    await chmod(folder, 0o755)
    const asUser = process.getuid?.() === 0 ? ['--user=root'] : []
    await run('mariadb-install-db', [
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      ...asUser,
    ])
    const socket = join(folder, 'server.sock')
    const server = spawn(
      'mariadbd',
      [
        ...[
          '--no-defaults',
          `--datadir=${data}`,
          `--port=${port}`,
          '--bind-address=127.0.0.1',
          `--socket=${socket}`,
        ],
        ...[`--ssl-cert=${folder}/cert.pem`, `--ssl-key=${folder}/key.pem`, '--plugin-load-add=auth_ed25519'],
        ...['--innodb-flush-log-at-trx-commit=0', ...asUser],
      ],
      { stdio: 'ignore' },
    )
    scope.after(async () => {
      server.kill('SIGTERM')
      await exitOf(server, 'MariaDB')
    })
    const statement = (sql: string) =>
      run('mariadb', ['--no-defaults', `--socket=${socket}`, '--user=root', '-e', sql])
    await until('MariaDB to listen', () =>
      statement('SELECT 1').then(
        () => true,
        () => false,
      ),
    )
    await statement(SETUP)
  })

  const ask = (options: MonitorOptions = {}, changes: object = {}): Promise<CheckResult> => {
    const settings = { url: `mysql://127.0.0.1:${port}/shop`, username: 'watcher', password: 'pä ss:word' }
    return check('mysql', { ...settings, options, ...changes }, { network })
  }
  const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
  const equal = (property: string, target: string | number | null): Assertion => ({
    ...{ source: 'json', property, comparison: 'equals', target, severity: 'down' },
  })

  it('is up over TLS, and without it where the monitor wants none', async () => {
    const secret = await ask({ security: 'starttls' })
    assert.deepEqual([...said(secret), secret.note], ['up', null, undefined])
    assert.notEqual(secret.certificate, null)
    const plain = await ask({ security: 'none' })
    assert.deepEqual([...said(plain), plain.certificate], ['up', null, null])
  })

  it('tells a wrong password, a database that is not there and a way that takes no password', async () => {
    assert.match(
      (await ask({}, { password: 'x' })).errorMessage ?? '',
      /^MySQL: sign-in refused \("Access denied for user/,
    )
    assert.match(
      (await ask({ database: 'other' })).errorMessage ?? '',
      /^MySQL: sign-in refused \("Access denied for user/,
    )
    assert.deepEqual(said(await ask({}, { username: 'other', password: 'secret' })), [
      'down',
      'MySQL: the server offers no sign-in with a user name and a password',
    ])
  })

  it('reads values by their types', async () => {
    const assertions = [
      ...[
        equal('$[0].id', 7),
        equal('$[0].price', 1.5),
        equal('$[0].name', 'Größe'),
        equal('$[0].done', null),
      ],
      { source: 'answer', comparison: 'less_than', target: 8, severity: 'down' } as const,
    ]
    assert.deepEqual(said(await ask({ query: 'SELECT * FROM jobs ORDER BY id', assertions })), ['up', null])
    const none = await ask({
      query: 'SELECT 1 FROM jobs WHERE false',
      assertions: [{ source: 'answer', comparison: 'exists', severity: 'down' }],
    })
    assert.deepEqual(said(none), ['down', 'answer is missing'])
  })

  it('changes nothing, by any statement', async () => {
    for (const query of ['DELETE FROM jobs', 'CREATE TABLE made (id INT)'])
      assert.deepEqual(said(await ask({ query })), [
        'down',
        'MySQL: query failed ("Cannot execute statement in a READ ONLY transaction")',
      ])
    const several = await ask({ query: 'SELECT 1; DELETE FROM jobs' })
    assert.match(several.errorMessage ?? '', /^MySQL: query failed \("You have an error in your SQL syntax/)
  })

  it('reads no more than its bounds', async () => {
    const many = await ask({ query: 'SELECT seq FROM seq_1_to_5000' })
    assert.deepEqual(said(many), ['down', 'MySQL: the query gives more than 1,000 rows'])
    assert.deepEqual(said(await ask({ query: 'SELECT seq FROM seq_1_to_1000' })), ['up', null])
    const long = await ask({ query: "SELECT REPEAT('x', 5000000)" })
    assert.deepEqual(said(long), ['down', 'MySQL: the query gives more than 1,048,576 bytes'])
  })

  it('has a query end at the server that takes longer than the check', async () => {
    const { errorMessage } = await ask({ query: 'SELECT SLEEP(600)' }, { request_timeout_seconds: 1 })
    assert.match(
      errorMessage ?? '',
      /max_statement_time exceeded|^no answer within 1 s \(running the query\)$/,
    )
  })
})
