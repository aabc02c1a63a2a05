import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

const FOLDER = join(import.meta.dirname, '../../../deploy/kubernetes')

// Manifests have every shape; what tests read of them is what they assert.
// biome-ignore lint/suspicious/noExplicitAny: the models say what is right
export type Manifest = any

export const KUBERNETES_FILES = readdirSync(FOLDER).sort()

/** The objects of a file, in order. */
export function readManifests(file: string): Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'), { merge: true })
  return documents.map((document) => {
    const [error] = document.errors
    if (error) throw new Error(`${file}: ${error.message}`)
    return document.toJS()
  })
}

/** The template of the pods that a workload makes; null for what makes none. */
export function podOf({ kind, spec }: Manifest): Manifest | null {
  if (kind === 'CronJob') return spec.jobTemplate.spec.template
  return kind === 'Deployment' ? spec.template : null
}

type Validate = {
  (value: Manifest): boolean
  errors?: { instancePath: string; keyword: string }[] | null
}

/** The errors that the schema of its kind, from the cluster's own description, finds in an object. */
export async function faultsOf(object: Manifest): Promise<string[]> {
  const [group, version] = object.apiVersion.includes('/')
    ? object.apiVersion.split('/')
    : ['core', object.apiVersion]
  const name = ['IoK8sApi', capital(group.split('.')[0]), capital(version), object.kind].join('')
  const { validate }: { validate: Validate } = await import(`kubernetes-models/_schemas/${name}`)
  const { watched, unread } = watchReading(object)
  validate(watched)
  const found = (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
  return [...found, ...unread().map((path) => `${path} unknown`)].toSorted()
}

/**
 * The same value, noting which of its members are never read. These schemas allow any further member; what their
 * validators never look at is one that they do not know.
 */
function watchReading(value: Manifest): { watched: Manifest; unread: () => string[] } {
  const unread = new Set<string>()
  const watch = (inner: Manifest, path: string): Manifest => {
    if (typeof inner !== 'object' || inner === null) return inner
    if (!Array.isArray(inner)) for (const key of Object.keys(inner)) unread.add(`${path}/${key}`)
    const parts = new Map<string, Manifest>()
    return new Proxy(inner, {
      get(target, key) {
        const found = Reflect.get(target, key)
        if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return found
        unread.delete(`${path}/${key}`)
        if (!parts.has(key)) parts.set(key, watch(found, `${path}/${key}`))
        return parts.get(key)
      },
    })
  }
  return { watched: watch(value, ''), unread: () => [...unread] }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
