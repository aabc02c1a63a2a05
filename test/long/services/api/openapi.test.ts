// npm test leaves this out: it generates a client from the document, and type-checks it (seconds of a core).
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { OpenApiDocument } from '../../../../src/contract/openapi/document.ts'
import type { JsonSchema } from '../../../../src/contract/openapi/json-schema.ts'
import { generateTypes } from '../../../support/documents/generated-client.ts'
import { HANG_GUARD_MS } from '../../../support/hang-guard.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService } from '../../../support/services/asked-service.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const run = promisify(execFile)

describe('the OpenAPI document of a service', () => {
  let service: AskedService
  let address: string

  before(async () => {
    service = await apiService()
    address = `${service.url}/api/v1/openapi.json`
  })

  it('is there for everybody, dated by the changelog, and names the addresses of this service', async () => {
    const response = await fetch(address)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json')
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const document = (await response.json()) as OpenApiDocument
    assert.equal(document.openapi, '3.1.1')
    const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8')
    assert.equal(document.info.version, /^### (\S+)$/m.exec(changelog)?.[1])
    const siteUrl = `http://localhost:${new URL(service.url).port}`
    assert.equal(document.servers[0]?.url, `${siteUrl}/api/v1`)
    const servers = (document.paths['/ping/{token}']?.servers ?? []) as JsonSchema[]
    assert.deepEqual(
      servers.map(({ url }) => url),
      [siteUrl],
    )
  })

  it('is kept until it changes, has a HEAD, and takes no other method', async () => {
    const first = await fetch(address)
    const etag = first.headers.get('etag') ?? ''
    assert.match(first.headers.get('cache-control') ?? '', /max-age=\d+/)
    for (const known of [etag, `W/${etag}`]) {
      const again = await fetch(address, { headers: { 'if-none-match': known } })
      assert.deepEqual([again.status, await again.text()], [304, ''], known)
    }
    const other = await fetch(address, { headers: { 'if-none-match': '"another"' } })
    assert.equal(other.status, 200)
    const head = await fetch(address, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('etag')], [200, etag])
    const post = await fetch(address, { method: 'POST' })
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD'])
  })

  it("gives a generated client that type-checks and runs the README's example", async () => {
    const folder = await mkdtemp(join(ROOT, '.generated-client-'))
    try {
      const document = await (await fetch(address)).text()
      await writeFile(join(folder, 'upbeat.ts'), await generateTypes(document))
      const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
      const [, example = ''] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? []
      assert.match(example, /openapi-fetch/)
      await writeFile(join(folder, 'example.ts'), example.replaceAll('http://localhost:3000', service.url))
      const compilerOptions = { incremental: false, tsBuildInfoFile: null }
      const settings = { extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
      await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder])
      const team = await service.createTeam()
      const env = { ...process.env, TOKEN: team.owner }
      const { stdout } = await run(process.execPath, [join(folder, 'example.ts')], {
        env,
        timeout: HANG_GUARD_MS,
      })
      assert.equal(stdout, 'Shop is pending\n')
      const { body } = await service.call(team.owner, 'GET', '/monitors')
      assert.equal(body.data.length, 1)
      assert.equal(body.data[0].notification_contacts[0].name, 'On call')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
