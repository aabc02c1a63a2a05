import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MAX_TAGS } from '../../src/core/tags/tag.ts'
import { importedTags } from '../../src/imports/tags.ts'

it('tags of another service become tags here, as far as one can say the same', () => {
  const table: [given: object[], tags: string[] | undefined][] = [
    [[{ name: 'prod' }], ['prod']],
    [[{ name: 'Env', value: 'Prod' }], ['env:prod']],
    [[{ name: 'Größe (XL)', value: 'a,b\nc' }], ['gro-e-xl:a b c']],
    [[{ name: '環境' }, { name: '' }, {}], undefined],
    [
      [
        { name: 'env', value: 'a' },
        { name: 'env', value: 'b' },
      ],
      ['env:b'],
    ],
    [[{ name: `${'x'.repeat(31)}-y`, value: 'v'.repeat(99) }], [`${'x'.repeat(31)}:${'v'.repeat(63)}…`]],
    [[], undefined],
  ]
  for (const [given, tags] of table) {
    assert.deepEqual(importedTags(given as Record<string, unknown>[]).tags, tags, JSON.stringify(given))
  }
  const many = Array.from({ length: MAX_TAGS + 5 }, (_, index) => ({ name: `tag ${index}` }))
  assert.equal(importedTags(many).tags?.length, MAX_TAGS)
})
