import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { constants, gunzipSync, gzip } from 'node:zlib'
import type { PageModel, PagePost } from '../../../core/status-pages/page-model.ts'
import {
  nextTurn,
  UNWATCHED_BUILD_EVERY_MS,
  WATCHED_BUILD_EVERY_MS,
  WATCHED_MS,
} from '../../../core/status-pages/serving/build-times.ts'
import { hasMonth, type PostTimes } from '../../../core/status-pages/serving/post-times.ts'
import type { PageReader } from '../read-model.ts'
import { createBuildQueue } from './build-queue.ts'
import type { ServedPage } from './followed-pages.ts'
import { createPageMemory } from './page-memory.ts'
import { createReadyPosts, type DocumentWish } from './ready-posts.ts'

/** Bytes of models that a process keeps, packed; and bytes of documents, each as it is and in the encodings asked for. */
export const MAX_MODEL_BYTES = 32 * 1_024 * 1_024
export const MAX_DOCUMENT_BYTES = 64 * 1_024 * 1_024

/** The records that pages are made of. */
export type PageSource = PageReader & { readPostTimes: (pageId: number) => Promise<PostTimes> }

/** A document that is ready to send; its size may grow by encodings that it is asked for. */
export type Kept = { readonly bytes: number }

type Posts = {
  times: PostTimes
  /** Packed, those that are shown without reading though they are not in the model. */
  others: Buffer
}
type KeptModel = Pick<PageModel, 'createdAt' | 'asOf'> & {
  packed: Buffer
  posts: Posts
  madeAtMs: number
}
type KeptDocument<W, D> = { wish: W; document: D; pageId: number }

/** The pages of this process, made when something changes and kept; see `createBuildQueue`. */
export function createKeptPages<W extends DocumentWish, D extends Kept>(deps: {
  source: PageSource
  pageOf: (pageId: number) => ServedPage | null
  /** Writes a document; null: there is none. */
  render: (page: ServedPage, model: PageModel, posts: PagePost[], wish: W) => Promise<D | null>
  /** Makes encodings of `next` that `last` was asked for. */
  follow: (last: D, next: D) => Promise<void>
  /** Hears of every model that was made, which is made again if this fails. */
  onBuilt?: (page: ServedPage, model: PageModel, posts: PostTimes) => void | Promise<void>
  now: () => Date
  monotonicMs: () => number
  onTrouble: (error: unknown) => void
}) {
  const { source, monotonicMs } = deps
  const models = createPageMemory<KeptModel>(
    MAX_MODEL_BYTES,
    ({ packed, posts }) => packed.length + posts.others.length,
    monotonicMs,
  )
  const ready = createReadyPosts(source)
  const documents = createPageMemory<KeptDocument<W, D>>(
    MAX_DOCUMENT_BYTES,
    ({ document }) => document.bytes,
    monotonicMs,
  )
  const documentsOf = new Map<number, Set<string>>()
  const queue = createBuildQueue({ build, monotonicMs, onTrouble: deps.onTrouble })

  async function build(pageId: number): Promise<number | null> {
    const page = deps.pageOf(pageId)
    const model = page && (await source.readModel(pageId))
    if (!model) {
      forget(pageId)
      return null
    }
    const times = await source.readPostTimes(pageId)
    const posts = { times, others: await pack(await ready.read(model, times)) }
    const packed = await pack(model)
    const last = models.peek(String(pageId))
    const seenAtMs = last?.seenAtMs ?? monotonicMs()
    const { createdAt, asOf } = model
    models.put(String(pageId), { packed, posts, createdAt, asOf, madeAtMs: monotonicMs() }, seenAtMs)
    await renewDocuments(page, model, posts)
    await deps.onBuilt?.(page, model, times)
    const isWatched = monotonicMs() - seenAtMs <= WATCHED_MS
    const turnMs = nextTurn(model.planned, deps.now()).getTime() - deps.now().getTime()
    return Math.min(isWatched ? WATCHED_BUILD_EVERY_MS : UNWATCHED_BUILD_EVERY_MS, Math.max(0, turnMs))
  }

  /** Writes again what people look at, one document at a time, and forgets the rest. */
  async function renewDocuments(page: ServedPage, model: PageModel, posts: Posts): Promise<void> {
    for (const key of documentsOf.get(page.id) ?? []) {
      const kept = documents.peek(key)
      if (!kept || monotonicMs() - kept.seenAtMs > WATCHED_MS) {
        drop(page.id, key)
        continue
      }
      const { wish, document: old } = kept.value
      const document = await write(page, model, posts, wish)
      if (document === null) {
        drop(page.id, key)
        continue
      }
      await deps.follow(old, document)
      documents.put(key, { wish, document, pageId: page.id }, kept.seenAtMs)
    }
  }

  function drop(pageId: number, key: string): void {
    documents.remove(key)
    documentsOf.get(pageId)?.delete(key)
  }

  async function write(page: ServedPage, model: PageModel, { times, others }: Posts, wish: W) {
    if (!isThere(times, model, wish)) return null
    const posts = await ready.find(model, times, () => unpack<PagePost[]>(others), wish)
    return deps.render(page, model, posts, wish)
  }

  async function make(page: ServedPage, wish: W, key: string): Promise<D | null> {
    if (!models.get(String(page.id))) await queue.buildNow(page.id)
    const kept = models.get(String(page.id))
    // Unpacking costs much more than to see that there is nothing to show.
    if (!kept || !isThere(kept.posts.times, kept, wish)) return null
    const document = await write(page, unpack<PageModel>(kept.packed), kept.posts, wish)
    // One of a model that has been replaced meanwhile is not kept.
    if (document === null || models.peek(String(page.id))?.value !== kept) return document
    documents.put(key, { wish, document, pageId: page.id })
    documentsOf.set(page.id, (documentsOf.get(page.id) ?? new Set()).add(key))
    return document
  }

  const making = new Map<string, Promise<D | null>>()

  function forget(pageId: number): void {
    models.remove(String(pageId))
    queue.forget(pageId)
    for (const key of documentsOf.get(pageId) ?? []) documents.remove(key)
    documentsOf.delete(pageId)
  }

  return {
    /** At once, where it is kept; null if there is no such document. */
    document(page: ServedPage, wish: W): D | null | Promise<D | null> {
      const key = `${page.id} ${wish.id}`
      const kept = documents.get(key)
      const model = models.get(String(page.id))
      // It got old while nobody looked at it.
      if (model && monotonicMs() - model.madeAtMs > WATCHED_BUILD_EVERY_MS) queue.plan(page.id, 0, false)
      if (kept) return kept.document
      const known = making.get(key)
      if (known !== undefined) return known
      const work = make(page, wish, key).finally(() => making.delete(key))
      making.set(key, work)
      return work
    },
    /** Everything on a page, for what is made for one visitor alone. */
    async model(page: ServedPage): Promise<PageModel | null> {
      if (!models.get(String(page.id))) await queue.buildNow(page.id)
      const kept = models.get(String(page.id))
      return kept ? unpack<PageModel>(kept.packed) : null
    },
    /** Counts the bytes of encodings that were made since. */
    measure: (page: ServedPage, wish: W): void => documents.measure(`${page.id} ${wish.id}`),
    changed: (pageId: number): void => queue.plan(pageId, 0, true),
    forget,
    get bytes() {
      return { models: models.bytes, documents: documents.bytes }
    },
    close: queue.close,
  }
}

function isThere(
  times: PostTimes,
  page: Pick<PageModel, 'createdAt' | 'asOf'>,
  { month, post }: DocumentWish,
): boolean {
  if (month !== undefined) return hasMonth(times, month, page)
  return post === undefined || times.has(post)
}

const zip = promisify(gzip)

/** A model takes many times its bytes as objects. */
function pack(content: PageModel | PagePost[]): Promise<Buffer> {
  return zip(serialize(content), { level: constants.Z_BEST_SPEED })
}

function unpack<T>(packed: Buffer): T {
  return deserialize(gunzipSync(packed)) as T
}
