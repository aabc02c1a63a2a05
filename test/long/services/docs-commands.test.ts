// npm test leaves this out: it runs every command of the documentation in a shell (a minute).
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { contract } from '../../../src/contract/contract.ts'
import { referenceText } from '../../../src/pages/docs/reference.ts'
import { insertWindow } from '../../../src/store/maintenance/windows.ts'
import { replaceSecret } from '../../../src/store/sealing/secret-addresses.ts'
import { type Block, blocksOf, docsFiles, nameOf, readBlocks } from '../../support/documents/docs-blocks.ts'
import { HANG_GUARD_MS } from '../../support/hang-guard.ts'
import { switchWindow } from '../../support/maintenance/windows.ts'
import { countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { listen } from '../../support/servers/receivers.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { startServiceHere } from '../../support/services/service-here.ts'
import { npxUpbeat, shellFunctions } from '../../support/services/shell-functions.ts'
import { until } from '../../support/until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const GUARD_SECONDS = HANG_GUARD_MS / 1_000

const AGENT =
  'changes the machine: run in test/agent/agent.test.ts and test/programs, in homes and machines of their own'

/** Blocks of shell that no test runs, by file and first line, and why. Every other one is run below. */
const NOT_RUN: Record<string, string> = {
  'docs/first-monitor.md: npm start': 'starts what this test has started in its own way',
  'docs/heartbeats.md: systemctl daemon-reload':
    'needs systemd; its units are verified in test/programs/systemd-analyze.test.ts',
  'docs/heartbeats.md: kubectl apply -f backup.yaml': 'needs a cluster; the command of the job is run below',
  'docs/mcp.md: claude mcp add --transport http upbeat https://upbeat.example.com/mcp --header "Authorization: Bearer $UPBEAT_TOKEN"':
    'needs that assistant',
  'docs/self-hosting.md: id upbeat || useradd --system --home-dir /opt/upbeat upbeat':
    'needs root and systemd; the units are verified in test/programs/systemd-analyze.test.ts',
  'docs/capacity.md: npm run bench -- --only capacity --minutes 3 --out capacity.md':
    'takes half an hour of both cores',
  'docs/capacity.md: npm run bench -- --only capacity --minutes 1,1,3 --hours 0,0,4 --postgres checkpoint_timeout=75s --out capacity.md':
    'takes half an hour of both cores',
  'docs/capacity.md: npm run bench -- --only simulation --monitors 1000000 --minutes 15 --out simulation.md':
    'takes twenty minutes of both cores',
  'docs/containers.md: docker build --tag images.example.com/upbeat:0.1.0 --build-arg VERSION=0.1.0 .':
    'needs Docker and base images; the Dockerfile is carried out in test/long/image.test.ts',
  'docs/containers.md: docker compose --file deploy/compose.yaml up --detach':
    'needs Docker; its file is verified in test/deploy/compose.test.ts and test/programs/docker.test.ts',
  'docs/containers.md: docker compose --file deploy/compose.yaml cp plans.json upbeat:/data/plans.json':
    'needs Docker; its file is verified in test/deploy/compose.test.ts and test/programs/docker.test.ts',
  'docs/containers.md: git pull': 'needs Docker and a newer version',
  'docs/containers.md: echo "SECRET_KEY=$(head -c 32 /dev/urandom | base64)" >> deploy/.env':
    'needs Docker; its file is verified in test/deploy/compose.test.ts and test/programs/docker.test.ts',
  'docs/containers.md: kubectl create namespace upbeat':
    'needs a cluster; the manifests are verified in test/deploy/kubernetes.test.ts and test/programs/kubectl.test.ts',
  'docs/self-hosting.md: cd /opt/upbeat': 'needs systemd and a newer version',
  'docs/self-hosting.md: npx upbeat restore upbeat.backup':
    'wants the service stopped: run in test/long/database/backup/backup.test.ts',
  'docs/hostile.md: npm run hostile -- --faults 200 --seed 1 --report hostile-report.md':
    'takes minutes; a short one is test/long/hostile.test.ts',
  'docs/hostile.md: npm run hostile -- --own-trouble --report own-trouble.md':
    'takes minutes and namespaces; a short one is in test/programs/nft.test.ts',
  'docs/fuzzing.md: npm run fuzz -- --requests 100000 --seed 1':
    'takes minutes; a short one is test/long/services/fuzz.test.ts',
  'docs/fuzzing.md: npm run fuzz -- --assertions 200000':
    'takes minutes; a short one is test/fuzz/assertions.test.ts',
  'docs/openapi.md: npm install openapi-fetch':
    'done by test/long/services/api/openapi.test.ts with what is installed',
  'docs/prometheus.md: promtool check rules examples/prometheus/alerts.yml':
    'needs promtool; run in test/programs/promtool.test.ts',
  'docs/scaling-out.md: export DATABASE_URL=postgres://upbeat:password@db.example.com:5432/upbeat':
    'needs a PostgreSQL server',
  'docs/remote-probes.md: export PROBE_URL=https://upbeat.example.com':
    'run in test/long/remote-probes.test.ts, with a token that is good',
  'docs/status-pages.md: curl -fsS -m 10 "$STATUS_PAGE_URL/api/v2/status.json"':
    'needs a page that is served; the document is read in test/core/status-pages/atlassian.test.ts',
  'docs/status-pages.md: curl -fsS -m 10 "$STATUS_PAGE_URL/api/v2/status.json" | grep -q \'"indicator":"none"\'':
    'needs a page that is served; the document is read in test/core/status-pages/atlassian.test.ts',
  'docs/status-pages.md: curl -fsS -m 10 "$STATUS_PAGE_URL/feed.atom"':
    'needs a page that is served; the feed is read in test/core/status-pages/feeds.test.ts',
  'docs/servers.md: curl -fsSL https://upbeat.example.com/server/TOKEN/install | sh': AGENT,
  'docs/servers.md: curl -fsSL https://upbeat.example.com/server/TOKEN/install | sh -s -- --containers --units':
    AGENT,
  'docs/servers.md: curl -fsSL https://upbeat.example.com/server/TOKEN/install -o install': AGENT,
  'docs/servers.md: sh /etc/upbeat/agent.sh --show': AGENT,
  'docs/servers.md: sudo sh /etc/upbeat/agent.sh --uninstall': AGENT,
  'docs/servers.md: wget -qO- https://upbeat.example.com/server/TOKEN/install | sh': AGENT,
  'docs/scaling-out.md: ROLES=api,alerts npm start': 'run in test/long/many-processes.test.ts',
}

/** Pages whose commands have a test of their own, and which: here they would need more than is set up. */
const RUN_ELSEWHERE: Record<string, string> = {
  'README.md': 'test/service-settings/readme.test.ts',
  'docs/moving-in.md': 'test/long/services/moving-in.test.ts',
  'docs/command-line.md': 'test/long/services/api/command-line/apply.test.ts',
  'docs/postgresql.md': 'test/long/external-database.test.ts',
  'docs/high-availability.md': 'test/programs/pgbackrest.test.ts',
}

/** Readers wait for a check of every minute; here there is one every second. */
const SHORT_SLEEP = 'sleep() { command sleep 0.3; }'

/** It makes the first account and team by itself, so it goes first. */
const FIRST = 'docs/first-monitor.md'

describe('the commands of the documentation', () => {
  const scope = suiteScope()
  let service: AskedService
  let folder: string
  let targetUrl: string
  let functions: string
  let calendarToken: string | undefined

  before(async () => {
    const target = createServer((_request, response) => response.end('Pay now'))
    targetUrl = `http://127.0.0.1:${await listen(target)}/`
    scope.after(async () => void target.close())
    folder = await mkdtemp(join(tmpdir(), 'upbeat-docs-'))
    scope.after(() => rm(folder, { recursive: true }))
    await writeFile(join(folder, 'backup.log'), 'copied 3 files\n')
    service = await startServiceHere()
    scope.after(() => service.close())
    functions = await shellFunctions(scope, {
      npx: npxUpbeat(scope, service.env, folder),
      async until_checked() {
        await until('the first check', isChecked)
        return { status: 0, out: '', err: '' }
      },
    })
  })

  const isChecked = async () =>
    (await countRows(service.services.db, 'monitor_state', { monitor_id: 1, status: 'up' })) > 0

  const files = [FIRST, ...docsFiles().filter((file) => file !== FIRST && !RUN_ELSEWHERE[file])]
  const shell = (file: string) =>
    readBlocks(file).filter((block) => block.lang === 'sh' && NOT_RUN[nameOf(block)] === undefined)

  it('are run, but for those that are listed with a reason', () => {
    const names = files.flatMap(readBlocks).map(nameOf)
    assert.deepEqual(
      Object.keys(NOT_RUN).filter((name) => !names.includes(name)),
      [],
    )
    for (const [file, test] of Object.entries(RUN_ELSEWHERE)) {
      const { base } = parse(file)
      assert.ok(readFileSync(join(ROOT, test), 'utf8').includes(base), `${test} runs ${base}`)
    }
  })

  it(`work as they stand in ${FIRST}`, async () => {
    const said = await run(shell(FIRST).map(prepare), await environment(true))
    assert.match(said, /"id":1,"name":"Shop"/)
    assert.match(said, /"status":"up"/)
    assert.match(said, /"check_interval_seconds":30/)
  })

  // Enough at once to use the time that some of them wait; all of them change one team.
  describe('of a team that is there', { concurrency: 4 }, () => {
    it('open a gate only for a monitor that is up, by a workflow', async () => {
      const env = await environment(false)
      const gates = commandsOf('docs/deploy-gate.md')
      assert.equal(gates.length, 3, gates.map(({ text }) => text).join('\n'))
      await Promise.all(gates.map((gate) => run([gate], env)))
    })

    it('report a job by cron, by systemd, in a cluster and by a workflow', async () => {
      const env = await environment(false)
      const reports = commandsOf('docs/heartbeats.md')
      assert.equal(reports.length, 9, reports.map(({ text }) => text).join('\n'))
      // The job itself succeeds; what stands between is the report of it.
      await run(reports, env)
      await run(reports, { ...env, MONITOR_EXIT_STATUS: 'KILL' })
      const { data } = (await service.call(env.UPBEAT_TOKEN ?? '', 'GET', `/monitors/${env.JOB}/checks`)).body
      const found = data.map(({ status }: { status: string }) => status)
      assert.ok(found.includes('up') && found.includes('down'), found.join())
    })

    it('turn a switch on and off by workflows and by a playbook', async () => {
      const env = await environment(false)
      const turns = commandsOf('docs/maintenance.md')
      assert.equal(turns.length, 5, turns.map(({ text }) => text).join('\n'))
      await run(turns, env)
      const plays = readBlocks('docs/maintenance.md').filter(({ text }) =>
        text.includes('ansible.builtin.uri'),
      )
      const asked = plays.flatMap(
        ({ text }) => text.match(/(?<=url: "\{\{ maintenance_url \}\})[^"]+/g) ?? [],
      )
      assert.deepEqual(asked, ['/start?minutes=15', '/stop'])
      for (const path of asked) {
        const { status } = await fetch(env.MAINTENANCE_URL + path, { method: 'POST' })
        assert.equal(status, 204, path)
      }
      const turned = await countRows(service.services.db, 'maintenance_occurrences', { ended_by: 'address' })
      assert.ok(turned >= 2, String(turned))
    })

    it('work for every operation of the reference', async () => {
      const { siteUrl, docsUrl } = service.services
      const facts = { siteUrl, docsUrl, baseUrl: `${siteUrl}/api/v1`, version: '2026-11-21' }
      const blocks = blocksOf('docs/reference.md', referenceText(facts)).filter(({ lang }) => lang === 'sh')
      assert.ok(blocks.length > Object.keys(contract).length, String(blocks.length))
      const env = await environment(false)
      const commands = []
      const shared = await records()
      for (const block of blocks) {
        const changes = /-X (PATCH|DELETE|POST)/.test(block.text)
        const { monitor, contact, heartbeat, manualToken, badge } = changes ? await records() : shared
        // The ids that examples have.
        const ofPath = { '/badge/': badge, '/manual/': manualToken }
        const uuid = Object.entries(ofPath).find(([path]) => block.text.includes(path))?.[1] ?? heartbeat
        const text = block.text
          .replaceAll('/monitors/42', `/monitors/${monitor}`)
          .replaceAll('/notification-contacts/42', `/notification-contacts/${contact}`)
          .replaceAll(/(_ids": ?\[)7\]/g, `$1${contact}]`)
          .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, uuid)
          .replaceAll(/https:\/\/[a-z]+\.example\.com/g, targetUrl.slice(0, -1))
        commands.push({ ...block, text })
      }
      await run(commands, env)
    })

    for (const file of files.filter((file) => file !== FIRST && shell(file).length > 0)) {
      it(`work as they stand in ${file}`, async () => {
        await run(shell(file).map(prepare), await environment(false))
      })
    }
  })

  /** The commands in crontabs, units, manifests and workflows of a page. */
  function commandsOf(file: string): Block[] {
    const blocks = readBlocks(file)
    return commandsIn(blocks).map((text) => prepare({ ...(blocks[0] as Block), text }))
  }

  /** The variables that the texts tell a reader to set: a member's own token, a monitor that is up, a job. */
  async function environment(isFirst: boolean): Promise<Record<string, string>> {
    const shared = { PATH: process.env.PATH ?? '', HOME: folder }
    if (isFirst) return shared
    const token = await service.createToken(1, 'owner')
    const { monitor, heartbeatId, heartbeat, manual } = await records(1)
    return {
      ...shared,
      UPBEAT_URL: service.url,
      UPBEAT_TOKEN: token,
      MONITOR: String(monitor),
      JOB: String(heartbeatId),
      PING_URL: `${service.url}/ping/${heartbeat}`,
      SWITCH_URL: manual,
      MONITOR_EXIT_STATUS: '0',
      ...(await addresses()),
    }
  }

  /** The secret addresses of a switch and of the team's calendar. */
  async function addresses() {
    const { db, vault } = service.services
    const token = randomUUID()
    const terms = { since: new Date(), token }
    await insertWindow(db.query, vault, 1, switchWindow({ name: `Deploy ${token}` }), terms)
    calendarToken ??= randomUUID()
    await replaceSecret(db.query, vault, 'windowsCalendar', { teamId: 1, id: 1 }, calendarToken)
    return {
      MAINTENANCE_URL: `${service.url}/maintenance/${token}`,
      CALENDAR_URL: `${service.url}/calendars/${calendarToken}.ics`,
    }
  }

  /** Records that an example may change and delete, made by somebody else: limits are per user. */
  async function records(checkIntervalSeconds = 3_600) {
    const token = await service.createToken(1, 'owner')
    const create = async (path: string, body: object) => {
      const { status, body: answer } = await service.call(token, 'POST', path, body)
      assert.equal(status, 201, `${JSON.stringify(answer)}\n${service.output()}`)
      return answer.data
    }
    const contact = await create('/notification-contacts', {
      name: 'On call',
      type: 'webhook',
      config: { url: targetUrl },
    })
    const monitor = await create('/monitors', {
      name: 'Shop',
      type: 'http',
      url: targetUrl,
      check_interval_minutes: 1,
      check_interval_seconds: checkIntervalSeconds,
    })
    const job = await create('/monitors', { name: 'Job', type: 'heartbeat', check_interval_minutes: 60 })
    const manual = await create('/monitors', { name: 'Telephone', type: 'manual' })
    const { badge_id: badge } = await service.services.db.query
      .selectFrom('monitors')
      .select('badge_id')
      .where('id', '=', monitor.id)
      .executeTakeFirstOrThrow()
    return {
      monitor: monitor.id,
      contact: contact.id,
      heartbeatId: job.id,
      heartbeat: job.heartbeat_token,
      manual: manual.heartbeat_url,
      manualToken: manual.heartbeat_token,
      badge,
    }
  }

  /** The text of a block, with this service's values in the place of examples. */
  function prepare(block: Block): Block {
    const target = new URL(targetUrl)
    const text = block.text
      .replaceAll('https://upbeat.example.com', service.url)
      .replaceAll(
        '"type": "ssl", "url": "https://example.com',
        `"type": "ssl", "url": "https://${target.host}`,
      )
      .replaceAll('https://example.com', target.origin)
      .replaceAll('db.example.com', target.hostname)
      .replaceAll(/\/usr\/local\/bin\/\w+|\.\/deploy\b/g, 'true')
      .replaceAll('cd /opt/upbeat && ', '')
      .replaceAll('/var/backups/', './')
      .replaceAll(/( -m | --timeout |%s\) \+ )\d+/g, `$1${GUARD_SECONDS}`)
    const isFirstLook = text.includes('/monitors/1/checks')
    return { ...block, text: isFirstLook ? `until_checked\n${text}` : text }
  }

  /** Runs blocks in one shell, as a reader would; fails with the first command that does. Gives what they printed. */
  async function run(blocks: Block[], env: Record<string, string>): Promise<string> {
    const steps = blocks.map((block) => `echo '== ${block.file}:${block.line}' >&2\n${block.text}`)
    const script = ['set -euo pipefail', SHORT_SLEEP, functions, ...steps].join('\n')
    const options = { cwd: folder, env, timeout: HANG_GUARD_MS }
    const { stdout } = await promisify(execFile)('bash', ['-c', script], options).catch((error) => {
      throw new Error(`${error.stdout}\n${error.stderr}\n${service.output()}`, { cause: error })
    })
    return stdout
  }
})

/** The commands in crontabs, units, manifests and workflows, each in a shell of its own. */
function commandsIn(blocks: Block[]): string[] {
  const found = blocks.flatMap(({ lang, text }) => {
    if (lang === 'cron')
      return [...text.matchAll(/^(?:\S+ ){4}\S+\s+(.+)$/gm)].map(([, command]) => command as string)
    if (lang === 'ini') return unitCommands(text)
    return lang === 'yaml' ? parseAllDocuments(text).flatMap((document) => scriptsIn(document.toJS())) : []
  })
  return found.map((command) => `(\n${command}\n)`)
}

/** The commands that units report with; the job itself is not run. */
function unitCommands(text: string): string[] {
  const commands = [...text.matchAll(/^ExecStart(?:Post)?=\/bin\/sh -c '(.*)'$/gm)]
  return commands.flatMap(([, command = '']) =>
    command.includes('curl') ? [command.replaceAll('$$', '$')] : [],
  )
}

/** The values of `run`, `script` and `args`, at any depth. */
function scriptsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'run') return [String(inner)]
    if (key === 'script' || key === 'args') return (inner as unknown[]).map(String)
    return scriptsIn(inner)
  })
}
