import { findPackageJSON } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * The folder of the project, or of a built release: the files that the program reads have the same paths in both. A
 * module cannot look beside itself for them, since it is part of a bundle in a release.
 */
const ROOT = dirname(findPackageJSON(import.meta.url) as string)

/** A file or folder that comes with the program, by its path in the project. */
export function ownFile(path: string): string {
  return join(ROOT, path)
}

/** The module that a thread or a process begins with: a source, or its bundle, which `bin/bundle.mjs` lists. */
export function ownModule(path: string): string {
  return join(ROOT, `src/${path}${extname(import.meta.filename)}`)
}

/** Starts a thread with such a module. It takes the flags of Node that its process has, but none of V8's. */
export function startOwnThread(path: string, options: WorkerOptions): Worker {
  return new Worker(ownModule(path), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    ...options,
  })
}
