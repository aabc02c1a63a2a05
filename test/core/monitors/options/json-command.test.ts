import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { english } from '../../../../src/core/language/said.ts'
import { jsonCommandFault } from '../../../../src/core/monitors/options/protocols/json-command.ts'

const NO_OBJECT = 'must be one command as a JSON object, such as {"count": "jobs"}'
const NO_READING = 'must be one command that only reads, such as {"count": "jobs"}, ping or serverStatus'

const deep = (depth: number) => `{"find": "jobs", "filter": ${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`

describe('a command as JSON', () => {
  for (const command of [
    '{"ping": 1}',
    '{"hello": 1}',
    ' {"count": "jobs", "query": {"state": "stuck"}}',
    '{"find": "jobs", "filter": {"at": {"$gt": {"$date": "2026-01-01T00:00:00Z"}}}, "limit": 1}',
    '{"aggregate": "jobs", "pipeline": [{"$group": {"_id": null, "all": {"$mergeObjects": "$a"}}}]}',
    '{"replSetGetStatus": 1}',
    deep(90),
  ])
    it(`may be ${command.slice(0, 60)}`, () => assert.equal(jsonCommandFault(command), null))

  for (const [command, fault] of [
    ['ping', NO_OBJECT],
    ['{"ping": 1', NO_OBJECT],
    ['[{"ping": 1}]', NO_OBJECT],
    ['null', NO_OBJECT],
    ['"ping"', NO_OBJECT],
    ['{}', NO_READING],
    ['{"insert": "jobs", "documents": []}', NO_READING],
    ['{"dropDatabase": 1}', NO_READING],
    ['{"eval": "f()"}', NO_READING],
    ['{"Ping": 1}', NO_READING],
    ['{"constructor": 1}', NO_READING],
    // The first key is the command, and one of digits goes before all others.
    ['{"ping": 1, "0": 1}', NO_READING],
    ['{"aggregate": "jobs", "pipeline": [{"$match": {}}, {"$out": "others"}]}', NO_READING],
    ['{"aggregate": "jobs", "pipeline": [{"$facet": {"a": [{"$merge": {"into": "b"}}]}}]}', NO_READING],
    [deep(101), NO_READING],
    ['{"ping": 1, "$db": "other"}', 'must not have $db, which the check sets'],
    ['{"find": "jobs", "$readPreference": {}}', 'must not have $readPreference, which the check sets'],
  ] as const)
    it(`is refused: ${command.slice(0, 60)}`, () => {
      const said = jsonCommandFault(command)
      assert.equal(said && english(said), fault)
    })
})
