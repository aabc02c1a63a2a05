// npm test leaves this out: it opens every dialog and every menu of the dashboard (a minute of a browser).
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { DemoTeam } from '../../../support/browser/demo-team.ts'
import { type Gallery, LOOKS, lookAt, openGallery } from '../../../support/browser/every-screen.ts'
import { openScreen, untilLoaded } from '../../../support/browser/screens.ts'
import { suiteScope } from '../../../support/scope.ts'

const DASHBOARD = join(import.meta.dirname, '../../../../dashboard')

/** A button that opens something by its name, and the item of its menu. */
type Opened = {
  /** The file that draws it. */
  file: string
  at: string | ((demo: DemoTeam) => string)
  button: string | RegExp
  item?: string
  /** The dialog's title; none for a menu. */
  dialog?: string | RegExp
}

const monitor = ({ monitors }: DemoTeam) => `/monitors/${monitors.get('Checkout')}`
const report = (_: DemoTeam) => '/reports/view?from=2026-01-05&to=2026-01-05&zone=UTC'
const saved = ({ report: id }: DemoTeam) => `/reports/view?report=${id}&from=2026-01-05&to=2026-01-05`
const page = ({ pages }: DemoTeam) => `/status-pages/${pages.shop}`
const post = ({ pages }: DemoTeam) => `/status-pages/${pages.shop}/posts/${pages.post}`
const schedule = ({ schedules }: DemoTeam) => `/on-call/schedules/${schedules.shop}`
const server = ({ servers }: DemoTeam) => `/servers/${servers.web}`
const site = ({ sites }: DemoTeam) => `/sites/${sites.shop}`
const MORE = 'More actions'

const OPENED: Opened[] = [
  { file: 'app/team-menu.tsx', at: '', button: /Switch team/ },
  { file: 'app/person-menu.tsx', at: '', button: /ada@example\.com/ },
  {
    ...{ file: 'app/shortcut-help.tsx', at: '', button: /ada@example\.com/, item: 'Keyboard shortcuts' },
    dialog: 'Keyboard shortcuts',
  },
  { file: 'app/shell.tsx', at: '', button: /^Find/, dialog: /^Find a monitor/ },
  { file: 'parts/lists/subject-filter.tsx', at: '/incidents', button: /Any$/, dialog: /^Choose a monitor/ },
  { file: 'parts/reports/list-menu.tsx', at: '/monitors', button: 'More for this list' },
  {
    file: 'parts/maintenance/maintenance-buttons.tsx',
    at: ({ monitors }) => `/monitors/${monitors.get('Warehouse')}`,
    ...{ button: /^End now/, dialog: /^End / },
  },
  { file: 'parts/maintenance/subject-maintenance.tsx', at: server, button: 'Maintenance' },
  { file: 'screens/on-call/override-dialog.tsx', at: schedule, button: 'Override…', dialog: 'Override' },
  { file: 'screens/on-call/schedule-actions.tsx', at: schedule, button: 'Delete…', dialog: /^Delete Shop/ },
  {
    file: 'screens/on-call/policy.tsx',
    at: ({ schedules }) => `/on-call/policies/${schedules.policy}`,
    ...{ button: 'Start drill…', dialog: 'Start a drill?' },
  },
  {
    ...{ file: 'screens/teams/members-line.tsx', at: '/settings/members' },
    ...{ button: 'Remove Charles Babbage', dialog: 'Remove Charles Babbage?' },
  },
  {
    ...{ file: 'screens/teams/api-tokens-line.tsx', at: '/settings/api-tokens' },
    ...{ button: 'Revoke Terraform', dialog: 'Revoke Terraform?' },
  },
  {
    ...{ file: 'screens/teams/api-tokens-rotation.tsx', at: '/settings/api-tokens' },
    ...{ button: 'Rotate Terraform', dialog: 'Rotate Terraform?' },
  },
  {
    ...{ file: 'screens/alerting/test-all.tsx', at: '/contacts' },
    ...{ button: 'Test all', dialog: 'Test all contacts' },
  },
  {
    ...{ file: 'screens/teams/settings-signing-secret.tsx', at: '/settings', button: 'Replace…' },
    dialog: 'Replace the signing secret?',
  },
  { file: 'screens/teams/settings-leave.tsx', at: '/settings', button: 'Leave…', dialog: /^Leave / },
  {
    file: 'screens/incidents/incident-acknowledge.tsx',
    at: ({ incidents }) => `/incidents/${incidents.open}`,
    ...{ button: 'Acknowledge', dialog: 'Acknowledge this incident' },
  },
  {
    file: 'screens/incidents/incident-actions.tsx',
    at: ({ incidents }) => `/incidents/${incidents.open}`,
    button: 'Maintenance',
  },
  {
    file: 'screens/incidents/subject-incident.tsx',
    at: ({ servers }) => `/incidents/servers/${servers.incident}`,
    button: 'Maintenance',
  },
  { file: 'screens/status-pages/page-frame.tsx', at: page, button: 'Unpublish…', dialog: /^Take / },
  {
    ...{ file: 'screens/status-pages/post-updates.tsx', at: post },
    ...{ button: 'Delete Investigating', dialog: 'Delete this update?' },
  },
  { file: 'screens/status-pages/post-actions.tsx', at: post, button: 'Edit title', dialog: 'Edit title' },
  {
    ...{ file: 'screens/status-pages/templates.tsx', at: '/status-pages/templates' },
    ...{ button: /^Remove /, dialog: /^Remove / },
  },
  {
    file: 'screens/status-pages/settings/delete.tsx',
    at: (demo) => `${page(demo)}/settings`,
    ...{ button: 'Delete page…', dialog: /^Delete / },
  },
  {
    file: 'screens/status-pages/settings/domains.tsx',
    at: (demo) => `${page(demo)}/settings`,
    ...{ button: /^Remove status\./, dialog: /^Remove status\./ },
  },
  { file: 'screens/sites/area-snooze.tsx', at: site, button: 'Snooze (DNS)', dialog: 'Snooze DNS' },
  { file: 'screens/sites/site-actions.tsx', at: site, button: 'Delete…', dialog: 'Delete “Shop”?' },
  {
    file: 'screens/alerting/contact-delete.tsx',
    at: ({ contacts }) => `/contacts/${contacts[0]}`,
    ...{ button: 'Delete…', dialog: 'Delete On call?' },
  },
  {
    file: 'screens/maintenance/window-post.tsx',
    at: ({ windows }) => `/maintenance/${windows.weekly}`,
    ...{ button: 'Post on a status page…', dialog: 'Post on a status page' },
  },
  {
    file: 'screens/maintenance/window-call-off.tsx',
    at: ({ windows }) => `/maintenance/${windows.weekly}`,
    ...{ button: 'Call off the next…', dialog: 'Call off the next maintenance?' },
  },
  {
    file: 'screens/maintenance/window-addresses.tsx',
    at: ({ windows }) => `/maintenance/${windows.deploys}`,
    ...{ button: 'New addresses…', dialog: 'Create new addresses?' },
  },
  {
    file: 'screens/maintenance/start-menu.tsx',
    at: ({ windows }) => `/maintenance/${windows.deploys}`,
    button: /^Turn on/,
  },
  {
    file: 'screens/maintenance/window-actions.tsx',
    at: ({ windows }) => `/maintenance/${windows.deploys}`,
    ...{ button: 'Delete…', dialog: 'Delete Deploys of the shop?' },
  },
  {
    file: 'screens/reports/subjects-dialog.tsx',
    ...{ at: report, button: 'All subjects', dialog: 'Subjects of the report' },
  },
  {
    file: 'screens/reports/recipients-dialog.tsx',
    ...{ at: saved, button: /^Send monthly/, dialog: 'Send monthly' },
  },
  {
    file: 'screens/reports/save-dialog.tsx',
    ...{ at: saved, button: MORE, item: 'Change name or time zone…', dialog: 'Change report' },
  },
  {
    file: 'screens/reports/report.tsx',
    ...{ at: saved, button: MORE, item: 'Delete report…', dialog: /^Delete Shop/ },
  },
  {
    file: 'screens/servers/server-actions.tsx',
    ...{ at: server, button: MORE, item: 'Delete…', dialog: 'Delete “Web 1”?' },
  },
  {
    file: 'screens/servers/server-install.tsx',
    ...{ at: server, button: MORE, item: 'Install the agent…', dialog: /^Install the agent/ },
  },
  {
    file: 'screens/monitors/monitor-actions.tsx',
    ...{ at: monitor, button: MORE, item: 'Delete…', dialog: 'Delete “Checkout”?' },
  },
  {
    file: 'screens/accounts/account-deletion.tsx',
    ...{ at: '/account', button: 'Delete…', dialog: 'Delete your account?' },
  },
  {
    file: 'screens/accounts/account-passkeys.tsx',
    ...{ at: '/account', button: 'Add a passkey', dialog: 'Add a passkey' },
  },
  {
    file: 'screens/accounts/accounts-line.tsx',
    ...{ at: '/accounts', button: 'Delete Mary Somerville', dialog: /^Delete the account/ },
  },
]

/** Files whose dialog or menu another entry opens, or which need more than a press to have one. */
const ELSEWHERE: Record<string, string> = {
  'app/sign-in-again.tsx': 'opens by itself: session-end.test.ts',
  'app/sign-in-dialog.tsx': 'opens by itself: session-end.test.ts',
  'parts/confirm.tsx': 'is what others draw',
  'parts/records/more-menu.tsx': 'is what others draw',
  'parts/records/record-action.tsx': 'is what others draw',
  'parts/records/record-buttons.tsx': 'is what others draw',
  'parts/maintenance/calendar-address.tsx': 'needs an address first',
  'screens/accounts/account-email.tsx': 'needs a service that sends mail',
  'screens/accounts/account-second-factor.tsx': 'needs an app for codes',
  'screens/accounts/account-sessions.tsx': 'needs a second browser',
  'screens/incidents/incident-call.tsx': 'is drawn on phones, for several people',
  'screens/status-pages/add-tagged.tsx': 'needs tags to be chosen',
  'screens/status-pages/layout-editor.tsx': 'needs a change of the layout',
  'screens/status-pages/subscribers.tsx': 'needs a subscriber',
  'screens/sites/finding-actions.tsx': 'needs a finding that is unfolded',
  'screens/accounts/service-mail.tsx': 'is for operators',
  'screens/incidents/many-incidents.tsx': 'needs a selection',
  'forms/monitors/bulk/check-bulk.tsx': 'needs a selection',
  'forms/monitors/bulk/settings-bulk.tsx': 'needs a selection',
  'screens/monitors/monitors-bulk.tsx': 'needs a selection: below',
  'parts/tags/tag-bulk.tsx': 'needs a selection: below',
  'forms/form-frame.tsx': 'needs a change in a form: below',
}

const OPENS = /<(Dialog|Confirm|MenuButton|MoreMenu|MaintainMenu|DeleteButton)\b|\buse(AskFirst|Deletion)\(/

describe('the focus', () => {
  const scope = suiteScope()
  let gallery: Gallery
  let inside: Page

  before(async () => {
    gallery = await openGallery(scope)
    inside = gallery.inside
    await lookAt(inside, LOOKS['wide and light'])
  })

  const focused = (locator: Locator) => locator.and(inside.locator(':focus')).waitFor()

  async function open(at: Opened['at']) {
    const path = typeof at === 'string' ? at : at(gallery.demo)
    await openScreen(inside, path.startsWith('/account') ? path : `/teams/${gallery.demo.id}${path}`)
    await untilLoaded(inside)
  }

  const buttonCalled = (name: string | RegExp) =>
    inside.getByRole('button', { name, exact: typeof name === 'string' }).first()

  /** Opens it with the keyboard alone, leaves it on Escape, and expects to be where it was. */
  async function openAndLeave(button: Locator, { item, dialog }: Pick<Opened, 'item' | 'dialog'>) {
    await button.focus()
    await inside.keyboard.press('Enter')
    if (item !== undefined) {
      await inside.getByRole('menuitem', { name: item, exact: true }).focus()
      await inside.keyboard.press('Enter')
    }
    const opened =
      dialog === undefined ? inside.getByRole('menu') : inside.getByRole('dialog', { name: dialog })
    await opened.waitFor()
    await inside.keyboard.press('Escape')
    await opened.waitFor({ state: 'hidden' })
    await focused(button)
  }

  it('is looked at in every file that opens a dialog or a menu', () => {
    const files = globSync('**/*.tsx', { cwd: DASHBOARD }).filter((file) =>
      OPENS.test(readFileSync(join(DASHBOARD, file), 'utf8')),
    )
    const known = [...OPENED.map(({ file }) => file), ...Object.keys(ELSEWHERE)]
    assert.deepEqual([...new Set(known)].toSorted(), files.toSorted())
  })

  for (const one of OPENED)
    it(`is where it was after ${one.dialog ? 'the dialog' : 'the menu'} of ${one.file}`, async () => {
      await open(one.at)
      await openAndLeave(buttonCalled(one.button), one)
    })

  it('is where it was after what is asked about a selection', async () => {
    await open('/monitors')
    await inside.getByRole('checkbox', { name: 'Select Checkout' }).check()
    await openAndLeave(buttonCalled('Delete'), { dialog: 'Delete 1 monitor?' })
    const tags = buttonCalled('Tags')
    await tags.focus()
    await inside.keyboard.press('Enter')
    // Escape closes the suggestions first.
    const dialog = inside.getByRole('dialog', { name: /1 monitor/ })
    await dialog.getByRole('button', { name: 'Cancel' }).focus()
    await inside.keyboard.press('Enter')
    await focused(tags)
    await openAndLeave(buttonCalled('Attach contact'), {})
    await buttonCalled('Clear selection').click()
  })

  it('is where it was after the question about unsaved changes', async () => {
    await open((demo) => `${monitor(demo)}/edit`)
    await inside.getByLabel('Name', { exact: true }).fill('Till')
    const link = inside.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports' })
    await link.focus()
    await inside.keyboard.press('Enter')
    const question = inside.getByRole('dialog', { name: 'Leave without saving?' })
    await question.waitFor()
    await inside.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
    await focused(link)
  })

  it('goes to the content after a dialog that no button opened', async () => {
    await open(({ servers }) => `/servers/${servers.waiting}?install=true`)
    const dialog = inside.getByRole('dialog', { name: /^Install the agent/ })
    await dialog.waitFor()
    await inside.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await focused(inside.getByRole('main'))
  })
})
