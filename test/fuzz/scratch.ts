import { livingRequests } from './living.ts'
import { appOf } from './routes.ts'
import { startFuzzed } from './service.ts'

const service = await startFuzzed({ after() {} }, { DATABASE_URL: '' })
const began = performance.now()
const w = await livingRequests(service, await appOf(service))
const kept = [...w.acts, ...w.documents]
console.log(kept.length, performance.now() - began)
const groups = new Map<string, number>()
for (const { renew } of kept) {
  const { name, method, path, headers, body, bytes } = await renew()
  groups.set(name.split(' ')[0]!, (groups.get(name.split(' ')[0]!) ?? 0) + 1)
  if (path.includes('/events')) continue
  const { host, ...others } = headers
  if (host) continue
  const answer = await fetch(service.url + path, {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': `198.19.77.${Math.floor(Math.random() * 255)}`,
      ...(body && !bytes ? { 'content-type': 'application/json' } : {}),
      ...others,
    },
    ...((bytes ?? body) !== undefined && { body: bytes ?? JSON.stringify(body) }),
  } as RequestInit)
  const text = await answer.text()
  if (answer.status >= 400)
    console.log(
      answer.status,
      name,
      method,
      path,
      JSON.stringify(headers).slice(0, 60),
      String(bytes ? Buffer.from(bytes) : JSON.stringify(body)).slice(0, 200),
      '=>',
      text.slice(0, 300).replace(/\s+/g, ' '),
    )
}
console.log([...groups].sort((a, b) => b[1] - a[1]).slice(0, 12))
await service.close()
process.exit(0)
