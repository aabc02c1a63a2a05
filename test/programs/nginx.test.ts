import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksIn } from '../support/documents/docs-blocks.ts'
import { runProgram } from '../support/programs.ts'
import { selfSigned } from '../support/servers/certificates.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('nginx takes the site of the documentation', (context) => {
  const folder = temporaryFolder(context)
  const { key, cert } = selfSigned({ commonName: 'upbeat.example.com' })
  writeFileSync(join(folder, 'upbeat.key'), key)
  writeFileSync(join(folder, 'upbeat.pem'), cert)
  const [site, ...others] = blocksIn('nginx')
  assert.ok(site && others.length === 0)
  // A socket of its own, and folders that anybody may make: the port and the usual ones are for root.
  const server = site.text
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replace('listen 443 ssl', `listen unix:${folder}/socket ssl`)
    .replace('listen [::]:443 ssl;', '')
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = folders.map((name) => `${name}_temp_path ${folder}/${name};`)
  const top = [`pid ${folder}/pid;`, `error_log ${folder}/error.log;`, 'events {}']
  const config = [...top, 'http {', 'access_log off;', ...temporary, server, '}'].join('\n')
  writeFileSync(join(folder, 'nginx.conf'), config)
  runProgram('nginx', ['-t', '-c', join(folder, 'nginx.conf'), '-p', folder])
})
