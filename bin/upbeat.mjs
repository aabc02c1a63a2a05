#!/usr/bin/env node
// The command `upbeat`. Plain JavaScript without dependencies, because it installs them: any Node >= 20 can run it, and
// it runs the rest on the pinned Node.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './bootstrap.mjs'
import { builtEntry, ensureRelease } from './ensure-built.mjs'
import { runAsOurselves } from './foreground.mjs'
import { pinnedNode, runtimeEnvironment, serviceFlags } from './runtime.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

await ensureInstalled(root, { withDev: false })
// A command does not wait for a build: without a release of these sources, it runs the sources.
const entry =
  process.argv[2] === 'serve' ? await ensureRelease(root) : (builtEntry(root) ?? join(root, 'src/main.ts'))
runAsOurselves(pinnedNode(root), [...serviceFlags, entry, ...process.argv.slice(2)], runtimeEnvironment(root))
