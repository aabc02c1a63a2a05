// `npm run build`: makes the release that `npm start` runs, and says where it is.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './bootstrap.mjs'
import { ensureRelease } from './ensure-built.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

await ensureInstalled(root, { withDev: false })
console.log(relative(process.cwd(), await ensureRelease(root)))
