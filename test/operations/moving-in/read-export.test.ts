import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, it } from 'node:test'
import { english, said } from '../../../src/core/language/said.ts'
import { MAX_UPLOAD_BYTES, UploadQuery } from '../../../src/core/moving-in/upload.ts'
import { parseFields } from '../../../src/core/validation.ts'
import type { Actor } from '../../../src/operations/implementation.ts'
import { readExport } from '../../../src/operations/moving-in/read-export.ts'
import type { Services } from '../../../src/operations/services.ts'

const NOW = new Date('2026-11-29T12:00:00Z')
const PLAN = { min_interval_minutes: 1, min_interval_seconds: 30 }

type Reading = Services['readExport']

/** Sends files as a browser does, in chunks that begin and end anywhere. */
function send(
  reading: Reading,
  { files, sizes, person = 1 }: { files: string[]; sizes?: number[]; person?: number },
) {
  const services = { plans: { pro: PLAN }, now: () => NOW, readExport: reading } as unknown as Services
  const bytes = Buffer.from(files.join(''))
  async function* content() {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3)
  }
  return readExport.perform(services, {
    actor: { userId: person, teamId: 1, plan: 'pro' } as Actor,
    record: undefined as never,
    body: undefined,
    query: { service: 'gatus', sizes: sizes ?? files.map((file) => Buffer.byteLength(file)) },
    upload: { content: content(), signal: new AbortController().signal },
  })
}

const nothing: Reading = async () => ({ outcome: {} as never })

describe('an uploaded export', () => {
  it('is read from files that only this user may read, and that are gone afterwards', async () => {
    const seen: string[] = []
    let told: unknown
    await send(
      async (service, paths, terms) => {
        seen.push(...paths)
        told = [service, terms.min_interval_seconds, paths.map((path) => readFileSync(path, 'utf8'))]
        for (const path of paths) assert.equal(statSync(path).mode & 0o077, 0)
        return { outcome: {} as never }
      },
      { files: ['endpoints: []\n', 'zwölf', 'x'] },
    )
    assert.deepEqual(told, ['gatus', 30, ['endpoints: []\n', 'zwölf', 'x']])
    assert.equal(seen.length, 3)
    for (const path of seen) assert.equal(existsSync(dirname(path)), false)
  })

  it('is gone as well when reading it fails', async () => {
    let path = ''
    const failing: Reading = async (_, paths) => {
      path = paths[0] ?? ''
      throw new Error('no memory')
    }
    await assert.rejects(send(failing, { files: ['a'] }), /no memory/)
    assert.equal(existsSync(dirname(path)), false)
  })

  it('that is wrong is refused with the reason, and the service that it looks like', async () => {
    const wrong: Reading = async () => ({ fault: said('it is no valid JSON'), looksLike: 'uptime-kuma' })
    await assert.rejects(send(wrong, { files: ['a'] }), {
      message: 'The file cannot be imported: it is no valid JSON.',
      members: {
        detail: 'The file cannot be imported: it is no valid JSON.',
        looks_like: 'uptime-kuma',
      },
    })
  })

  const refused: [what: string, files: string[], sizes: number[], message: RegExp][] = [
    ['empty', ['a', ''], [1, 0], /it is empty/],
    ['shorter than it says', ['abc'], [4], /sizes must be those of the files/],
    ['longer than it says', ['abcdef'], [4], /sizes must be those of the files/],
    ['too large', ['a'], [MAX_UPLOAD_BYTES, 1], /All files together may have 64 MiB here/],
  ]
  for (const [what, files, sizes, message] of refused) {
    it(`that is ${what} is not read`, async () => {
      await assert.rejects(
        send(() => assert.fail('it was read'), { files, sizes }),
        { message },
      )
    })
  }

  it('waits for no other one: a person reads one at a time, and one is left for somebody else', async () => {
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const long: Reading = async () => {
      begun.resolve()
      await gate.promise
      return { outcome: {} as never }
    }
    const first = send(long, { files: ['a'] })
    await begun.promise
    await assert.rejects(send(nothing, { files: ['a'] }), { code: 'conflict' })
    assert.ok(await send(nothing, { files: ['a'], person: 2 }))
    const second = send(long, { files: ['a'], person: 2 })
    await assert.rejects(send(nothing, { files: ['a'], person: 3 }), { code: 'unavailable' })
    gate.resolve()
    await Promise.all([first, second])
    assert.ok(await send(nothing, { files: ['a'] }), 'the next one of the same person is read')
  })
})

describe('the sizes of files', () => {
  const table: [given: string, sizes: number[] | null][] = [
    ['12', [12]],
    ['1,2,3', [1, 2, 3]],
    ['', null],
    ['1,', null],
    ['-1', null],
    ['1e9', null],
    ['1234567890', null],
    [Array(101).fill('1').join(), null],
  ]
  for (const [given, sizes] of table) {
    it(`${given.slice(0, 20) || 'nothing'}: ${sizes ? 'taken' : 'refused'}`, () => {
      const parsed = parseFields(UploadQuery, { service: 'gatus', sizes: given })
      if (parsed.ok) assert.deepEqual(parsed.value.sizes, sizes)
      else {
        assert.equal(sizes, null)
        const faults = parsed.faults.sizes ?? []
        assert.deepEqual(faults.map(english), ['must be the sizes of 1 to 100 files, separated by commas'])
      }
    })
  }
})
