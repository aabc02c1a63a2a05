// npm test leaves this out: it opens five screens of each kind of subject (seconds of a browser).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { SUBJECT_KINDS, type SubjectKind } from '../../../../src/core/maintenance/subject-kind.ts'
import { endNextFlap } from '../../../../src/engine/alerting/end-flap.ts'
import { createKnownWindows } from '../../../../src/engine/maintenance/known-windows.ts'
import { openChromium, openPage, WIDE } from '../../../support/browser/chromium.ts'
import { createTeamOf, signInQuietly } from '../../../support/browser/people.ts'
import { expectAccessible, openScreen, untilLoaded } from '../../../support/browser/screens.ts'
import { makeTrouble } from '../../../support/browser/troubled-team.ts'
import { addRow, ago, changeRows } from '../../../support/records/rows.ts'
import { suiteScope } from '../../../support/scope.ts'
import { DOWN } from '../../../support/servers/receivers-alert.ts'
import { type ServiceHere, startServiceHere } from '../../../support/services/service-here.ts'

/** The subject of each kind that flaps in the team of `makeTrouble`, the part of it that does, and its addresses. */
const FLAPPING: Record<SubjectKind, { name: string; about: string; list: string; incident: string }> = {
  monitor: { name: 'Shop 0', about: '', list: 'monitors', incident: 'incidents' },
  server: { name: 'Host', about: 'silent', list: 'servers', incident: 'incidents/servers' },
  site: { name: 'Website', about: 'home_page', list: 'sites', incident: 'incidents/sites' },
}
const MARK = 'Flapping: alerts wait until it is steady again.'

describe('something that flaps', () => {
  const scope = suiteScope()
  let service: ServiceHere
  let page: Page
  let complaints: string[]
  let team: number
  const ids = {} as Record<SubjectKind, { id: number; incident: number }>

  before(async () => {
    // Nothing is checked: the rows say what flaps.
    service = await startServiceHere({ ROLES: 'api' })
    scope.after(() => service.close())
    const { id, owner } = await createTeamOf(service, 'Flaps', 'Marks')
    team = id
    const { db } = service.services
    await makeTrouble(service.services, team)
    for (const kind of SUBJECT_KINDS) {
      const { name, about } = FLAPPING[kind]
      const { rows } = await db.pool.query<{ id: number; incident: number }>(
        `SELECT s.id, i.id AS incident FROM ${kind}s s
         JOIN team_incidents i ON i.kind = $1 AND i.subject_id = s.id AND coalesce(i.about, '') = $4
         WHERE s.team_id = $2 AND s.name = $3`,
        [kind, team, name, about],
      )
      const [found] = rows
      assert.ok(found, kind)
      ids[kind] = found
      const incident = { kind, id: found.incident }
      await changeRows(db, 'team_incidents', incident, { untold: true, while_flapping: true })
      await addRow(db, 'flaps', {
        ...{ kind, subject_id: found.id, about, team_id: team, since: ago(300_000), changes: 6 },
        ...{ team_incident_id: found.incident, look_at: ago(1_000) },
        alert: JSON.stringify({ ...DOWN, event: `${kind}.down`, type: kind, id: found.id, name }),
      })
    }
    const opened = await openPage(await openChromium(scope), service.url)
    page = opened.page
    complaints = opened.complaints
    await page.setViewportSize(WIDE)
    await signInQuietly(opened.context, owner)
  })

  const go = async (path: string) => {
    await openScreen(page, `/teams/${team}${path}`)
    await untilLoaded(page)
  }
  const marks = () => page.locator('main').getByText(MARK)
  const lineOf = (name: string) => page.locator('main [data-row], main li').filter({ hasText: name }).first()

  for (const kind of SUBJECT_KINDS) {
    const { name, list, incident } = FLAPPING[kind]

    it(`is marked in the list of ${list}, and said on its page and on that of its incident`, async () => {
      await go(`/${list}`)
      await lineOf(name).getByText(MARK).waitFor()
      assert.equal(await marks().count(), 1)
      await expectAccessible(page, `the list of ${list} with a mark`)
      await go(`/${list}/${ids[kind].id}`)
      await page.getByRole('status').filter({ hasText: 'Flapping for' }).waitFor()
      await expectAccessible(page, `the page of one of ${list} that flaps`)
      await go(`/${incident}/${ids[kind].incident}`)
      await page.getByText('Flapping: the next alert comes once it is steady again.').waitFor()
    })
  }

  for (const [path, heading] of [
    ['', 'overview'],
    ['/wallboard', 'wallboard'],
  ] as const) {
    it(`is marked on the ${heading}, whatever it is`, async () => {
      await go(path)
      for (const kind of SUBJECT_KINDS) await lineOf(FLAPPING[kind].name).getByText(MARK).waitFor()
      assert.equal(await marks().count(), SUBJECT_KINDS.length)
      await expectAccessible(page, `the ${heading} with marks`)
    })
  }

  it('is no longer marked once it is steady, without a load', async () => {
    const { db } = service.services
    await go('/servers')
    await lineOf('Host').getByText(MARK).waitFor()
    for (const _ of SUBJECT_KINDS) assert.ok(await endNextFlap(db, createKnownWindows()))
    await marks().waitFor({ state: 'detached' })
    await go(`/monitors/${ids.monitor.id}`)
    await page.getByRole('region', { name: 'State' }).waitFor()
    await page.getByText('Flapping for').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })
})
