// npm test leaves this out: it asks for windows of both other kinds of subjects (hundreds of requests, seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  OccurrenceRow,
  SubjectMaintenance,
  WindowDetail,
  WindowRow,
} from '../../../../../src/core/maintenance/shown-window.ts'
import { chosenField } from '../../../../../src/core/maintenance/window.ts'
import { createKnownWindows } from '../../../../../src/engine/maintenance/known-windows.ts'
import { sent, switchWindow } from '../../../../support/maintenance/windows.ts'
import { MONITORS } from '../../../../support/services/api-bodies.ts'
import { assertInvalid } from '../../../../support/services/api-problems.ts'
import { apiService } from '../../../../support/services/api-service.ts'
import type { AskedService } from '../../../../support/services/asked-service.ts'
import { type People, peopleOf, type Team } from '../../../../support/services/people.ts'

const SHORT_NOTICE = 'Short-notice maintenance'
const PATH = '/maintenance-windows'
const NOBODYS = 2_147_483_647
const HOUR_MS = 3_600_000

for (const kind of ['server', 'site'] as const)
  describe(`maintenance windows of ${kind}s`, () => {
    const IDS = chosenField(kind)
    let service: AskedService
    let people: People

    before(async () => {
      service = await apiService()
      people = peopleOf(service)
    })

    const data = async ({ id, owner }: Team, method: string, path: string, body?: object) =>
      WindowDetail.parse(await owner.data(id, method, `${PATH}${path}`, body))
    const subjectOf = async ({ id, owner }: Team, name = 'Web'): Promise<number> => {
      const address = kind === 'site' ? { url: 'https://shop.example.com/' } : {}
      return (await owner.data(id, 'POST', `/${kind}s`, { name, ...address })).id
    }
    const monitorOf = async ({ id, owner }: Team, name = 'Shop'): Promise<number> =>
      (await owner.data(id, 'POST', '/monitors', { ...MONITORS.http, name })).id
    const maintenanceOf = async ({ id, viewer }: Team, subject: string) =>
      SubjectMaintenance.parse(await viewer.data(id, 'GET', `/${subject}/maintenance`))
    const ofSubjects = (ids: number[], more: object = {}) => ({
      ...sent(switchWindow()),
      all_subjects: false,
      [IDS]: ids,
      ...more,
    })

    it('name them, count them and come back as they were sent', async () => {
      const team = await people.team()
      const subjects = [await subjectOf(team, 'b'), await subjectOf(team, 'A')]
      const made = await data(team, 'POST', '', ofSubjects(subjects))
      assert.deepEqual(made.fields[IDS], [...subjects].reverse())
      assert.deepEqual(
        [made.monitor_count, made[`${kind}_count`], made[`${kind}s`].map(({ name }) => name)],
        [0, 2, ['A', 'b']],
      )
      const rows = (await team.viewer.data(team.id, 'GET', PATH)).map((row: unknown) => WindowRow.parse(row))
      assert.deepEqual(rows, [WindowRow.parse(made)])
      const monitor = await monitorOf(team)
      const both = { ...made.fields, monitor_ids: [monitor], [IDS]: subjects.slice(0, 1) }
      const changed = await data(team, 'PATCH', `/${made.id}`, both)
      assert.deepEqual(changed.fields, both)
      assert.deepEqual([changed.monitor_count, changed[`${kind}_count`]], [1, 1])
    })

    it('lose one that is deleted, in every form', async () => {
      const team = await people.team()
      const [gone, stays] = [await subjectOf(team, 'gone'), await subjectOf(team, 'stays')]
      const { id } = await data(team, 'POST', '', ofSubjects([gone, stays]))
      await team.owner.data(team.id, 'DELETE', `/${kind}s/${gone}`)
      const shown = await data(team, 'GET', `/${id}`)
      assert.deepEqual([shown.fields[IDS], shown[`${kind}_count`]], [[stays], 1])
    })

    it('are refused with those of nobody or another team, wherever they are named', async () => {
      const [team, other] = [await people.team(), await people.team()]
      const [mine, foreign] = [await subjectOf(team), await subjectOf(other)]
      const { id } = await data(team, 'POST', '', ofSubjects([mine]))
      const body = ofSubjects([mine, foreign, NOBODYS])
      for (const [method, path, asked] of [
        ['POST', PATH, body],
        ['PATCH', `${PATH}/${id}`, body],
        ['POST', `${PATH}/preview`, { window: body, reader_zone: 'UTC' }],
        ['POST', `${PATH}/now`, { [IDS]: body[IDS] }],
      ] as const) {
        const refused = await team.owner.ask(team.id, method, path, asked)
        assertInvalid(refused, [IDS])
        assert.deepEqual(refused.body.errors[IDS], [
          `${IDS} must be IDs of ${kind}s of the team, got ${foreign}, ${NOBODYS}`,
        ])
      }
      assertInvalid(await team.owner.ask(team.id, 'POST', `${PATH}/now`, { minutes: 5 }), ['monitor_ids'])
      assertInvalid(await team.owner.ask(team.id, 'POST', PATH, ofSubjects([mine], { all_subjects: true })), [
        IDS,
      ])
    })

    it('begin now with two clicks, and are called so that pages can show it', async () => {
      const team = await people.team()
      const [web, mail, shop] = [await subjectOf(team), await subjectOf(team, 'Mail'), await monitorOf(team)]
      const nameOf = async (body: object) => (await data(team, 'POST', '/now', body)).name
      assert.equal(await nameOf({ [IDS]: [web] }), SHORT_NOTICE)
      assert.equal(await nameOf({ [IDS]: [web, mail] }), SHORT_NOTICE)
      assert.equal(await nameOf({ [IDS]: [web], monitor_ids: [shop] }), SHORT_NOTICE)
      const { current } = await maintenanceOf(team, `${kind}s/${web}`)
      assert.deepEqual(current.map(({ window_name, covers_others }) => [window_name, covers_others]).sort(), [
        [SHORT_NOTICE, false],
        [SHORT_NOTICE, true],
        [SHORT_NOTICE, true],
      ])
      assert.equal((await maintenanceOf(team, `${kind}s/${mail}`)).current.length, 1)
      assert.equal((await maintenanceOf(team, `monitors/${shop}`)).current.length, 1)
    })

    it('are counted where they are over, with what they covered', async () => {
      const team = await people.team()
      const subjects = [await subjectOf(team), await subjectOf(team, 'Mail')]
      const { id, fields } = await data(team, 'POST', '', ofSubjects(subjects))
      await data(team, 'POST', `/${id}/start`, {})
      await data(team, 'POST', `/${id}/end`)
      await data(team, 'PATCH', `/${id}`, { ...fields, [IDS]: subjects.slice(0, 1) })
      await data(team, 'POST', `/${id}/start`, {})
      const from = new Date(Date.now() - HOUR_MS).toISOString()
      const to = new Date(Date.now() + HOUR_MS).toISOString()
      const rows: unknown[] = await team.viewer.data(
        team.id,
        'GET',
        `/maintenance-occurrences?from=${from}&to=${to}`,
      )
      assert.deepEqual(
        rows.map((row) => OccurrenceRow.parse(row)).map((row) => [row.state, row[`${kind}_count`]]),
        [
          ['over', 2],
          ['running', 1],
        ],
      )
    })

    it('are what the recorder judges by, apart from monitors of the same ids', async () => {
      const team = await people.team()
      const [web, mail] = [await subjectOf(team), await subjectOf(team, 'Mail')]
      const { pool } = service.services.db
      const windows = createKnownWindows()
      const now = service.services.databaseNow()
      const soon = new Date(now.getTime() + 60_000)
      const applies = async () => {
        const coverOf = await windows.read(pool, kind, [web, mail], now)
        return [web, mail].map((id) => coverOf(id)?.applies(id, soon) ?? null)
      }
      assert.deepEqual(await applies(), [null, null])
      const { id } = await data(team, 'POST', '/now', { [IDS]: [web] })
      assert.deepEqual(await applies(), [true, false])
      const all = await data(team, 'POST', '', sent(switchWindow()))
      await data(team, 'POST', `/${all.id}/start`, {})
      assert.deepEqual(await applies(), [true, true])
      await data(team, 'POST', `/${all.id}/end`)
      await data(team, 'POST', `/${id}/end`)
      assert.deepEqual(await applies(), [false, false])
      const ofMonitors = await windows.read(pool, 'monitor', [web], now)
      assert.ok(ofMonitors(web)?.applies(web, soon) !== true)
    })
  })
