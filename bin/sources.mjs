// Says whether sources are still those that something was built from.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Nothing that is built is a source, nor is it copied from one build into another. */
const NO_SOURCES = ['dist']
const KEPT = '.cache/built'

/** A hash of the names and contents of all these files. */
export function fingerprint(root, sources) {
  const hash = createHash('sha256')
  for (const file of filesIn(root, sources)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(`${root}/${file}`))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * Returns what the last `keepBuilt` made, if its sources have not changed since; else null. It asks for the state of each file,
 * as git does, because reading them all takes several times as long.
 */
export function lastBuilt(root, sources) {
  const [made, ...states] = readOr(join(root, KEPT), '').split('\n')
  return made && states.join('\n') === statesOf(root, sources).states ? join(root, made) : null
}

/**
 * Keeps the path that `build` returns, with the state of these sources before it ran. A file that changed at this very
 * moment could change again without another time of change, so nothing is kept then.
 */
export async function keepBuilt(root, sources, build) {
  const began = keep(root, '')
  const { states, changedAt } = statesOf(root, sources)
  const made = await build()
  if (changedAt < began) keep(root, `${relative(root, made)}\n${states}`)
  return made
}

/** Returns when, by the clock of the file system: minus infinity where nothing can be written, which is no fault. */
function keep(root, text) {
  const path = join(root, KEPT)
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return statSync(path).mtimeMs
  } catch {
    return Number.NEGATIVE_INFINITY
  }
}

/** The time of change, unlike that of modification, cannot be set: what unpacks an older version cannot hide it. */
function statesOf(root, sources) {
  let changedAt = 0
  const states = filesIn(root, sources).map((file) => {
    const { ctimeMs, size, ino } = statSync(`${root}/${file}`)
    changedAt = Math.max(changedAt, ctimeMs)
    return `${file} ${ctimeMs} ${size} ${ino}`
  })
  return { states: states.join('\n'), changedAt }
}

function readOr(path, otherwise) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}

function filesIn(root, sources) {
  return sources.flatMap((source) => filesBelow(root, source)).sort()
}

function filesBelow(root, source) {
  const found = statSync(`${root}/${source}`, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [source] : []
  const files = []
  addFiles(root, source, files)
  return files
}

function addFiles(root, folder, files) {
  for (const entry of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
    if (NO_SOURCES.includes(entry.name)) continue
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) addFiles(root, path, files)
    else files.push(path)
  }
}
