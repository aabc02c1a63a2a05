import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ContactType } from '../src/core/alerting/contact-types.ts'
import { english, said } from '../src/core/language/said.ts'
import { MAX_INTERVAL_SECONDS } from '../src/core/monitors/monitor.ts'
import { hasInterval, MONITOR_TYPES, MonitorType } from '../src/core/monitors/monitor-types.ts'
import { createNetwork } from '../src/net/network.ts'
import { CATALOGUE } from './catalogue/catalogue.ts'
import { addInventedTypes } from './support/invented/types.ts'
import { sendingTo } from './support/servers/receivers-alert.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const ROOT = join(import.meta.dirname, '..')

/** The maps of probes and channels. */
const MAPS = ['src/probes/run.ts', 'src/alerts/channels.ts']
const ENTRIES = [
  'monitors/monitor-types.ts',
  'monitors/types/lines.ts',
  'monitors/types/messages.ts',
  'monitors/types/packets.ts',
  'monitors/types/services.ts',
  'monitors/types/databases.ts',
  'alerting/contact-types.ts',
  'alerting/chat-types.ts',
  'alerting/pager-types.ts',
].map((file) => `src/core/${file}`)
/** A reader of another service's exports may know more about one type: that service does. */
const READERS = /^src\/imports\/(uptime-kuma|gatus|uptimerobot|postman)\//

/** Code without its comments. */
const sources = ['src', 'dashboard'].flatMap((place) =>
  readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('dist/'))
    .map((file) => ({
      path: join(place, file),
      code: readFileSync(join(ROOT, place, file), 'utf8').replaceAll(/\/\*.*?\*\/|^ *\/\/[^\n]*/gms, ''),
    })),
)

function placesOf(type: string): string[] {
  const name = new RegExp(`['"]${type}['"]|(?:^|[{,])\\s*${type}: `, 'm')
  return (
    sources
      .filter(({ path, code }) => !READERS.test(path) && name.test(code))
      .map(({ path }) => path)
      .filter((path) => ![...MAPS, ...ENTRIES, `src/alerts/${type}.ts`].includes(path))
      // A probe may stand in a room with others of its kind, and have a part in a file beside it.
      .filter((path) => !new RegExp(`^src/probes/(?:[a-z-]+/)?${type}(?:-[a-z]+)?\\.ts$`).test(path))
  )
}

/** Types whose names stand in other places, and why. A new one is none of them. */
const KNOWN_BY_NAME: Partial<Record<MonitorType | ContactType, string>> = {
  http: 'what most people add first, and a scheme',
  ssl: 'a look of sites, and a setting of databases',
  postgresql: 'the database of the service, with a page of its own',
  heartbeat: 'it is called, not checked',
  group: 'it has members, and is judged by them',
  manual: 'people say how it is, and nothing checks it',
  keyword: 'a list of addresses has a column for it',
  tcp: 'questions to name servers go over it',
  steps: 'an option has this name, which is the list of them',
  browser: 'a program that an operator names',
  websocket: 'the name of the protocol, in its handshake',
  docker: 'people look for it in the documentation by the names of what runs containers',
  udp: 'questions to name servers go over it',
  dns: 'an area of sites, and a port of this machine',
  domain: 'an area of sites',
  smtp: 'the way of the service to its own mail server',
  game: 'an option has this name, which says which game it is',
  icmp: 'a bare address in a list, and a socket that needs a privilege',
  email: 'people have addresses, and the service needs a mail server',
  slack: 'a choice on the first screens',
  webhook: 'status pages have subscribers of this type',
  webpush: 'it is made by a browser, of a device',
  pushover: 'the address of the vendor is a setting',
  teams: 'the word for teams',
}

describe('a type stands in one entry, one file and one map', () => {
  const others = [...MonitorType.options, ...ContactType.options].filter((type) => !(type in KNOWN_BY_NAME))
  for (const type of others) {
    it(type, () => {
      const inMaps = sources.filter(({ path, code }) => MAPS.includes(path) && code.includes(`    ${type}: `))
      const inEntries = sources.filter(
        ({ path, code }) => ENTRIES.includes(path) && code.includes(`\n  ${type}: `),
      )
      assert.equal(inMaps.length, 1)
      assert.equal(inEntries.length, 1)
      assert.deepEqual(placesOf(type), [], 'let the place derive from the entry')
    })
  }

  it('or it would be found, as those are that other places know by name', () => {
    const found = Object.keys(KNOWN_BY_NAME).filter((type) => placesOf(type).length > 0)
    assert.deepEqual(found, Object.keys(KNOWN_BY_NAME))
    assert.ok(placesOf('heartbeat').length > 5)
  })
})

describe('tests of a type', () => {
  it('stand in a file of its own for one that alerts go to', () => {
    const missing = ContactType.options.filter(
      (type) => !existsSync(join(ROOT, `test/alerts/${type}.test.ts`)),
    )
    assert.deepEqual(missing, [])
  })

  it('are cases of the catalogue of failures for one that is probed', () => {
    // Echoes are made up in test/probes/icmp.test.ts: the catalogue has real servers.
    const tried = new Set<string>([
      'icmp',
      ...CATALOGUE.flatMap(({ cases }) => cases.map(({ type }) => type)),
    ])
    const probed = MonitorType.options.filter((type) => MONITOR_TYPES[type].isProbed)
    assert.deepEqual(
      probed.filter((type) => !tried.has(type)),
      [],
    )
  })
})

it('types of monitors have places of their own among the cards', () => {
  const places = Object.values(MONITOR_TYPES).map(({ place }) => place)
  assert.deepEqual(places, [...new Set(places)])
})

describe('the intervals that types of monitors offer', () => {
  const UNITS: Record<string, number> = { s: 1, min: 60, h: 3_600, days: 86_400 }

  for (const [type, { intervals, usualIntervalSeconds }] of Object.entries(MONITOR_TYPES)) {
    it(`${type}: are as long as they say, and the usual one is among them`, () => {
      const offered = Object.entries(intervals).map(([seconds, label]) => [Number(seconds), label] as const)
      assert.equal(offered.length > 0, hasInterval(type as MonitorType))
      for (const [seconds, label] of offered) {
        const [, count, unit = ''] = /^(\d+) (\w+)(?:,|$)/.exec(label) ?? []
        assert.equal(Number(count) * (UNITS[unit] ?? Number.NaN), seconds, label)
        assert.ok(seconds <= MAX_INTERVAL_SECONDS, label)
      }
      const seconds = [null, ...offered.map(([one]) => one)]
      assert.ok(seconds.includes(usualIntervalSeconds), `${usualIntervalSeconds} is offered`)
    })
  }
})

describe('types that were just invented', () => {
  it('are checked, documented, shown, imported and masked by their entry and file alone', async (t) => {
    const load = addInventedTypes(temporaryFolder(t))

    const { MonitorType: Type, servesAsLandmark } = await load('src/core/monitors/monitor-types.ts')
    assert.equal(Type.options.at(-1), 'semaphore')
    assert.equal(servesAsLandmark('semaphore'), false)
    const { createWay } = await load('src/engine/evidence/way.ts')
    for (const way of ['IPv4', 'names']) {
      const { noteReached, witnesses } = createWay(way, { monotonicMs: () => 0 })
      noteReached('192.0.2.1', { type: 'semaphore', url: 'semaphore://hill', port: 7 }, 0, 0)
      assert.equal(witnesses().length, way === 'names' ? 1 : 0, 'a way to it cannot be looked for')
    }
    const { isProbed } = await load('src/core/probing/thread-count.ts')
    assert.equal(isProbed({ type: 'semaphore' }), true)
    const { targetOf, urlFault } = await load('src/core/monitors/target.ts')
    assert.equal(targetOf({ type: 'semaphore', url: 'semaphore://hill/top', port: 7 }), 'hill:7')
    assert.equal(
      english(urlFault('semaphore', 'hill')),
      'must be a full URL such as semaphore://example.com, got "hill"',
    )
    const { createRules } = await load('src/core/monitors/monitor-rules.ts')
    const { contextOf } = await load('dashboard/forms/rule-context.ts')
    const { examples } = await load('src/contract/openapi/examples.ts')
    const rules = createRules(contextOf(examples.team))
    assert.deepEqual(rules({ type: 'semaphore', url: 'semaphore://hill', port: null }), [
      { field: 'port', message: said('is required when the type is {type}', { type: 'semaphore' }) },
    ])
    assert.equal(examples.monitorBodies.semaphore.type, 'semaphore')

    const network = createNetwork({ privateTargets: 'allow' })
    const { createProbes } = await load('src/probes/run.ts')
    const probes = createProbes({ network, now: () => new Date(0), icmp: null, onBug: assert.fail })
    assert.equal((await probes.semaphore()).errorMessage, 'fog')

    const { fieldsOf, textOf } = await load('dashboard/forms/monitor-fields.ts')
    assert.deepEqual(
      fieldsOf('semaphore').filter((name: string) => textOf(name, 'semaphore').place === 'first'),
      ['url', 'port', 'name'],
    )
    assert.equal(textOf('url', 'semaphore').label, 'Host')
    const { KUMA_TYPES } = await load('src/imports/uptime-kuma/types.ts')
    assert.equal(KUMA_TYPES.flags, 'semaphore')

    const { monitorOfRow } = await load('src/core/moving-in/address-row.ts')
    const row = monitorOfRow({ url: 'semaphore://hill:7', keyword: 'arms', type: 'semaphore' }, 5)
    assert.deepEqual([row.type, row.port, row.expected_keyword], ['semaphore', 7, 'arms'])

    const { openApiDocument } = await load('src/contract/openapi/document.ts')
    const urls = { siteUrl: 'https://a.example', baseUrl: 'https://a.example', docsUrl: 'https://a.example' }
    const { components, paths } = openApiDocument({ ...urls, version: '1' })
    const { schemas } = components
    assert.match(
      paths['/monitors'].post.description,
      /: `url` \(all but `heartbeat`, `manual`, `group`\), .*`port` \(`tcp`, [^)]*`semaphore`[^)]*\)[.,]/,
    )
    assert.ok(schemas.MonitorType.enum.includes('semaphore'))
    assert.match(schemas.MonitorCreate.properties.url.description, /any scheme for .*`semaphore`/)
    assert.deepEqual(Object.keys(schemas.PigeonContactCreate.properties.config), ['$ref'])
    assert.deepEqual(schemas.PigeonConfig.required, ['loft', 'ring'])

    const config = { loft: 'https://loft.example/attic/sEcReT99', ring: 'BE-17-sEcReT' }
    const masked = { loft: 'https://loft.example/********', ring: '********' }
    const { maskConfig, presentContact } = await load('src/core/alerting/contact.ts')
    assert.deepEqual(presentContact({ id: 1, name: 'Loft', type: 'pigeon', config }, false).config, masked)
    assert.deepEqual(maskConfig(config), masked)
    const { changesText } = await load('src/cli/apply/diff.ts')
    const declared = { name: 'Loft', type: 'pigeon', config }
    const change = { action: 'create', kind: 'contact', name: 'Loft', index: 0, declared }
    const diff = { changes: [change], undeclared: [], notes: [], unchanged: 0 }
    assert.doesNotMatch(changesText(diff, { color: false, isHidden: () => false }), /sEcReT/)
    const { createChannels, send } = await load('src/alerts/channels.ts')
    const channels = createChannels({ network, mail: null, apiUrls: {}, siteUrl: '', now: Date })
    const outcome = await send(channels, 'pigeon', sendingTo(config))
    assert.equal(outcome.detail, 'no ******** at https://loft.example********')

    const { destinationOf, receiverKeysOf } = await load('src/core/alerting/contact-types.ts')
    assert.deepEqual(receiverKeysOf('pigeon'), ['loft'])
    assert.equal(destinationOf({ type: 'pigeon', config: masked }), masked.loft)
    const { contactFields, CONTACT_CONTROLS } = await load('dashboard/forms/contact-fields.ts')
    assert.deepEqual(contactFields('pigeon').config, ['config.loft', 'config.ring'])
    assert.equal(CONTACT_CONTROLS['config.ring'].kind, 'text')
  })
})
