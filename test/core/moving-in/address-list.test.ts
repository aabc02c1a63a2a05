import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Monitor, MonitorType } from '../../../src/core/monitors/monitor.ts'
import {
  MAX_LIST_BYTES,
  MAX_LIST_ROWS,
  matchAddresses,
  readAddressList,
} from '../../../src/core/moving-in/address-list.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { OPTION_SAMPLES, type OptionSample, valuesOf } from '../../support/records/option-samples.ts'
import { MONITORS } from '../../support/services/api-bodies.ts'

const FREE = {
  plan: { min_interval_minutes: 5, min_interval_seconds: 300 },
  planName: 'free' as const,
  refuseAddress: () => null,
}
const read = (text: string) => readAddressList(text, 5, FREE)

/** Type, address, port, name and interval of the one row of a list. */
function guessed(text: string) {
  const { rows } = read(text)
  const row = rows.at(-1)
  if (!row?.ok) return row?.errors
  const {
    type,
    url,
    port,
    name,
    check_interval_seconds: seconds,
    check_interval_minutes: minutes,
  } = row.value
  return [type, url, port, name, seconds ?? minutes * 60]
}

describe('a row of a list of addresses', () => {
  const table: [text: string, found: unknown][] = [
    ['https://shop.example/a?x=1,2', ['http', 'https://shop.example/a?x=1,2', null, 'shop.example', 300]],
    ['shop.example', ['http', 'https://shop.example', null, 'shop.example', 300]],
    ['shop.example:8080/x', ['http', 'https://shop.example:8080/x', null, 'shop.example:8080', 300]],
    ['https://shop.example, The shop', ['http', 'https://shop.example', null, 'The shop', 300]],
    ['https://shop.example/?a=1, The shop', ['http', 'https://shop.example/?a=1', null, 'The shop', 300]],
    ['https://shop.example\tThe shop', ['http', 'https://shop.example', null, 'The shop', 300]],
    ['db.example:5432', ['tcp', 'tcp://db.example:5432', 5432, 'db.example:5432', 300]],
    ['tcp://db.example:5432', ['tcp', 'tcp://db.example:5432', 5432, 'db.example:5432', 300]],
    ['192.0.2.7', ['icmp', 'icmp://192.0.2.7', null, '192.0.2.7', 300]],
    ['# a remark', undefined],
    ['url,interval\nshop.example,15', ['http', 'https://shop.example', null, 'shop.example', 900]],
    ['URL;Interval\nshop.example;10 min', ['http', 'https://shop.example', null, 'shop.example', 600]],
    ['url,interval_seconds\nshop.example,600', ['http', 'https://shop.example', null, 'shop.example', 600]],
    ['name,url,type\n"Shop, the",shop.example,ssl', ['ssl', 'https://shop.example', null, 'Shop, the', 300]],
    ['url,keyword\nshop.example,tea', ['keyword', 'https://shop.example', null, 'shop.example', 300]],
    ['url,port\ndb.example,5432', ['tcp', 'tcp://db.example', 5432, 'db.example', 300]],
    ['url,name,type\n,Backup,heartbeat', ['heartbeat', null, null, 'Backup', 300]],
  ]
  for (const [text, found] of table) it(JSON.stringify(text), () => assert.deepEqual(guessed(text), found))
})

/** A cell as CSV has it: a text as it is, and anything else as JSON. */
function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${text.replaceAll('"', '""')}"`
}

describe('a column of an option', () => {
  const job = { ...MONITORS.heartbeat, url: '' }
  const ofType = (type: MonitorType) => (type === 'heartbeat' ? job : MONITORS[type])
  for (const name of keysOf(OPTION_SAMPLES)) {
    const { type, settings, beside, ...sample }: OptionSample = OPTION_SAMPLES[name]
    for (const value of valuesOf({ type, ...sample }, [1, 2])) {
      if (name === 'depends_on' || name === 'members') continue
      it(`sets ${name}: ${JSON.stringify(value).slice(0, 60)}`, () => {
        const given = { url: '', port: '', username: '', ...ofType(type), ...settings } as Record<
          string,
          unknown
        >
        const others = Object.entries({ ...beside })
        const titles = ['url', 'name', 'type', 'port', 'username']
        const cells = [given.url, 'One', type, given.port, given.username]
        titles.push(...others.map(([other]) => `options.${other}`))
        cells.push(...others.map(([, one]) => quoted(one)))
        const [row] = read(
          `${[...titles, `options.${name}`].join()}\n${[...cells, quoted(value)].join()}`,
        ).rows
        assert.ok(row?.ok, JSON.stringify(row))
        assert.deepEqual(row.value.options?.[name], value)
      })
    }
  }

  it('takes the members of a group by tags, and plain words', () => {
    const head = 'name,type,url,options.members,options.rule'
    const [row] = read(`${head}\nAll,group,,${quoted({ tags: ['env:prod'] })},any`).rows
    assert.ok(row?.ok, JSON.stringify(row))
    assert.deepEqual(row.value.options, { members: { tags: ['env:prod'] }, rule: 'any' })
  })

  it('stands beside who signs in, whose password is shown nowhere', () => {
    const [row, refused] = read(
      'url,username,password\npostgresql://db.example,ada,s3cret\nhttps://ada:x@shop.example,ada,s3cret',
    ).rows
    assert.ok(row?.ok && refused && !refused.ok)
    assert.deepEqual(
      [row.value.type, row.value.username, row.value.password],
      ['postgresql', 'ada', 's3cret'],
    )
    assert.deepEqual(
      [row.given, refused.given],
      ['postgresql://db.example,ada,********', 'https://ada:x@shop.example,ada,********'],
    )
  })

  it('is not set where its cell is empty', () => {
    const [one, two] = read('url,options.attempts,options.inverted\na.example,,\nb.example,3,true').rows
    assert.ok(one?.ok && two?.ok)
    assert.deepEqual([one.value.options, two.value.options], [null, { attempts: 3, inverted: true }])
  })
})

describe('a row that cannot be added says why', () => {
  const table: [text: string, field: string, why: RegExp][] = [
    ['gopher://shop.example', 'url', /must start with http/],
    ['mailto:ada@shop.example', 'url', /full URL/],
    ['url,type\nshop.example,carrier pigeon', 'type', /must be one of/],
    ['url,interval\nshop.example,1 min', 'check_interval_minutes', /at least 5 on the free plan/],
    ['url,interval\nshop.example,often', 'check_interval_seconds', /integer/],
    ['url,interval_seconds\nshop.example,30', 'check_interval_seconds', /at least 300/],
    ['https://ada:secret@shop.example', 'url', /credentials/],
    ['tcp://db.example', 'port', /required/],
    ['shop.example\nhttps://shop.example/', 'url', /is in row 1 already/],
    ['url,name,type\n,Backup,heartbeat\n,Backup,heartbeat', 'url', /is in row 2 already/],
    ['url,options.attempts\nshop.example,11', 'options.attempts', /must be at most 10, got 11/],
    ['url,options.attempts\nshop.example,many', 'options.attempts', /must be an integer, got "many"/],
    ['url,options.atempts\nshop.example,3', 'options', /do not have atempts/],
    ['url,type,options.query\nshop.example,tcp,x', 'options.query', /no option of a monitor of type tcp/],
    [
      'url,options.schedule\nshop.example,0 3 * * *',
      'options.schedule',
      /no option of a monitor of type http/,
    ],
    ['url,options.depends_on\nshop.example,[3]', 'options.depends_on', /a list cannot name/],
    ['url,options.assertions\nshop.example,[{]', 'options.assertions', /must be an array/],
  ]
  for (const [text, field, why] of table) {
    it(JSON.stringify(text), () => {
      const row = read(text).rows.at(-1)
      assert.ok(row && !row.ok)
      assert.match(row.errors[field]?.join() ?? '', why)
    })
  }
})

describe('a list of addresses', () => {
  it('names several pages of a host by their paths, and twins by numbers', () => {
    const { rows } = read('a.example/one\na.example/two\nb.example, Same\nc.example, Same')
    const names = rows.map((row) => row.ok && row.value.name)
    assert.deepEqual(names, ['a.example/one', 'a.example/two', 'Same', 'Same (2)'])
  })

  it('is bounded in rows and bytes', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => `a${index}.example`).join('\n')
    assert.equal(read(rows(MAX_LIST_ROWS)).rows.length, MAX_LIST_ROWS)
    assert.match(read(rows(MAX_LIST_ROWS + 1)).fault?.text ?? '', /rows/)
    assert.match(read('x'.repeat(MAX_LIST_BYTES + 1)).fault?.text ?? '', /KiB/)
  })

  it('finds what the team has by type and address, whatever its name', () => {
    const list = read('https://shop.example\nblog.example')
    const there = {
      id: 7,
      type: 'http',
      url: 'https://shop.example/',
      port: null,
      name: 'Renamed',
      expected_keyword: null,
    }
    const { monitors } = matchAddresses(list, [there as Monitor])
    assert.deepEqual(
      monitors.map(({ existing }) => existing?.id ?? null),
      [7, null],
    )
  })
})
