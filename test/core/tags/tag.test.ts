import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { english } from '../../../src/core/language/said.ts'
import { carries, readSelectors } from '../../../src/core/tags/selector.ts'
import { MAX_TAGS, readTag, TagSet, withTags } from '../../../src/core/tags/tag.ts'
import { changedTags, differingTags, TagChange, tagChangeRules } from '../../../src/core/tags/tag-change.ts'
import { tagLabels } from '../../../src/core/tags/tag-labels.ts'
import { parseFields } from '../../../src/core/validation.ts'

describe('a tag', () => {
  it('is kept in lower case and without needless spaces', () => {
    const table: [written: string, kept: string][] = [
      ['env:prod', 'env:prod'],
      [' Env : Prod ', 'env:prod'],
      ['legacy', 'legacy'],
      ['team:Zoë  &  Ida', 'team:zoë & ida'],
      ['owner:https://example.com/a', 'owner:https://example.com/a'],
      ['cost-center:4711', 'cost-center:4711'],
      [`${'k'.repeat(32)}:${'ß'.repeat(64)}`, `${'k'.repeat(32)}:${'ß'.repeat(64)}`],
    ]
    for (const [written, kept] of table) assert.deepEqual(readTag(written), { tag: kept }, written)
  })

  it('is refused with what is wrong with it', () => {
    const table: [written: string, fault: RegExp][] = [
      ['', /a key takes letters/],
      [':prod', /a key takes letters/],
      ['größe:xl', /a key takes letters/],
      ['cost_center', /a key takes letters/],
      ['-env', /a key takes letters/],
      ['env:', /value after the colon is missing/],
      ['k'.repeat(33), /at most 32 characters/],
      [`env:${'x'.repeat(65)}`, /at most 64 characters/],
      ['env:a,b', /no commas/],
      ['env:a\nb', /no commas and no control characters/],
      ['env:\ud800', /no control characters/],
    ]
    for (const [written, fault] of table) {
      const read = readTag(written)
      assert.match('fault' in read ? english(read.fault) : '', fault, written)
    }
  })

  it('is named in the error about a list, with what came', () => {
    const parsed = parseFields(TagChange, { kind: 'monitor', ids: [1], add: ['env:prod', 'a b'] })
    assert.equal(parsed.ok, false)
    assert.match(JSON.stringify(parsed), /add\.1 must be a key such as env.*got \\"a b\\"/)
  })
})

describe('the tags of a subject', () => {
  it('are sorted, and each is there once', () => {
    assert.deepEqual(TagSet.parse(['team:web', 'Env:prod', 'env:prod']), ['env:prod', 'team:web'])
  })

  it('have one value for each key', () => {
    const parsed = parseFields(TagChange.extend({ tags: TagSet }).pick({ tags: true }), {
      tags: ['env:prod', 'env:staging'],
    })
    assert.match(JSON.stringify(parsed), /one value for each key, got env:prod and env:staging for env/)
    assert.deepEqual(withTags(['env:prod', 'team:web'], ['env:staging']), ['env:staging', 'team:web'])
  })

  it(`are at most ${MAX_TAGS}`, () => {
    const many = Array.from({ length: MAX_TAGS + 1 }, (_, index) => `key${index}`)
    assert.equal(TagSet.safeParse(many).success, false)
    assert.equal(TagSet.safeParse(many.slice(1)).success, true)
  })

  it('change by what is added, which takes the place of its key, and by what is removed', () => {
    const tags = ['env:prod', 'legacy', 'team:web']
    assert.deepEqual(changedTags(tags, { add: ['env:test'], remove: [] }), ['env:test', 'legacy', 'team:web'])
    assert.deepEqual(changedTags(tags, { add: [], remove: ['env', 'team:api'] }), ['legacy', 'team:web'])
    assert.deepEqual(changedTags(tags, { add: ['env:new'], remove: ['env'] }), [
      'env:new',
      'legacy',
      'team:web',
    ])
    assert.deepEqual(differingTags(tags, ['env:test', 'legacy']), ['env:prod', 'env:test', 'team:web'])
    assert.equal(tagChangeRules({ add: [], remove: [] })[0]?.field, 'add')
  })
})

describe('a selector', () => {
  it('matches a tag, or with a key alone any value of it; all of several must', () => {
    const tags = ['env:prod', 'legacy', 'team:web']
    const table: [selectors: string, matches: boolean][] = [
      ['env:prod', true],
      ['env', true],
      ['legacy', true],
      ['env:prod,team', true],
      ['env:production', false],
      ['en', false],
      ['env:prod,team:api', false],
      ['prod', false],
    ]
    for (const [selectors, matches] of table)
      assert.equal(carries(tags, readSelectors(selectors) ?? []), matches, selectors)
    assert.equal(carries([], []), true)
  })

  it('is read from an address, of which nothing is believed', () => {
    assert.deepEqual(readSelectors('team, Env:Prod,,team'), ['env:prod', 'team'])
    for (const wrong of ['ENV PROD', 'env:', Array.from({ length: 11 }, (_, i) => `k${i}`).join(',')])
      assert.equal(readSelectors(wrong), null, wrong)
  })
})

describe('labels of Prometheus', () => {
  it('are made of keys, of which no two make the same, and are never empty', () => {
    assert.deepEqual(tagLabels(['cost-center:4711', 'env:"prod"', 'legacy']), {
      tag_cost_center: '4711',
      tag_env: '"prod"',
      tag_legacy: 'true',
    })
  })
})
