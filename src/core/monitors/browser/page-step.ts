import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { issueAt, issueOf, type Said, said } from '../../language/said.ts'
import { label, text, unreadableFault } from '../../text.ts'
import { MAX_STEP_NAME } from '../steps/step-timing.ts'

export const MAX_PAGE_STEPS = 30
export const MAX_PAGE_STEP_SECONDS = 60
const MAX_URL_LENGTH = 2_000
const MAX_TARGET_LENGTH = 500
const MAX_VALUE_LENGTH = 2_000

type Use = 'needed' | 'may' | 'none'
type ActionEntry = { word: string; url: Use; target: Use; value: Use }

/** The deeds of a step, and the parts that each has. */
export const PAGE_ACTIONS = {
  goto: { word: phrase('Open a page'), url: 'needed', target: 'none', value: 'none' },
  click: { word: phrase('Click'), url: 'none', target: 'needed', value: 'none' },
  fill: { word: phrase('Fill in'), url: 'none', target: 'needed', value: 'needed' },
  press: { word: phrase('Press a key'), url: 'none', target: 'may', value: 'needed' },
  select: { word: phrase('Select an option'), url: 'none', target: 'needed', value: 'needed' },
  expect_text: { word: phrase('Expect a text'), url: 'none', target: 'may', value: 'needed' },
  expect_no_text: { word: phrase('Expect no such text'), url: 'none', target: 'may', value: 'needed' },
  expect_url: { word: phrase('Expect a URL'), url: 'none', target: 'none', value: 'needed' },
  expect_visible: { word: phrase('Expect to see'), url: 'none', target: 'needed', value: 'none' },
  wait_for: { word: phrase('Wait for'), url: 'none', target: 'needed', value: 'none' },
} as const satisfies Record<string, ActionEntry>
export type PageAction = keyof typeof PAGE_ACTIONS

/** How a step says which part of a page it means. */
export const PAGE_SELECTORS = {
  role: phrase('Role'),
  label: phrase('Label'),
  text: phrase('Text'),
  css: phrase('CSS selector'),
} as const
export type PageSelector = keyof typeof PAGE_SELECTORS

/** Roles that people see and use (WAI-ARIA 1.2, section 5.3). */
const ROLES = [
  ...['alert', 'alertdialog', 'article', 'banner', 'button', 'cell', 'checkbox', 'columnheader', 'combobox'],
  ...['complementary', 'contentinfo', 'dialog', 'figure', 'form', 'grid', 'gridcell', 'group', 'heading'],
  ...['img', 'link', 'list', 'listbox', 'listitem', 'log', 'main', 'menu', 'menubar', 'menuitem'],
  ...['menuitemcheckbox', 'menuitemradio', 'navigation', 'option', 'progressbar', 'radio', 'radiogroup'],
  ...['region', 'row', 'rowgroup', 'rowheader', 'search', 'searchbox', 'slider', 'spinbutton', 'status'],
  ...['switch', 'tab', 'table', 'tablist', 'tabpanel', 'textbox', 'timer', 'toolbar', 'tooltip', 'tree'],
  ...['treegrid', 'treeitem'],
]

/** `button Sign in` as the role and the accessible name; null where the first word is no role. */
export function readRole(target: string): { role: string; name: string | null } | null {
  const [, role = '', name = ''] = /^(\S+)(?:\s+(.*))?$/s.exec(target.trim()) ?? []
  return ROLES.includes(role) ? { role, name: name === '' ? null : name } : null
}

const PageUrl = text(MAX_URL_LENGTH).superRefine((value, context) => {
  const fault = urlFault(value)
  if (fault) context.addIssue(issueOf(fault))
})

function urlFault(value: string): Said | null {
  if (value === '') return said('must not be empty')
  const unreadable = unreadableFault(value)
  if (unreadable) return unreadable
  const url = URL.parse(value, 'https://example.com/')
  if (!url || !/^https?:$/.test(url.protocol))
    return said('must be a URL of http or https, or one that is relative to the page')
  return url.username || url.password ? said('must not contain credentials') : null
}

const PARTS = ['url', 'target', 'value'] as const

export const PageStep = z
  .strictObject({
    name: label(MAX_STEP_NAME).describe('Its name in causes; no two steps have the same.'),
    action: z
      .enum(Object.keys(PAGE_ACTIONS) as [PageAction, ...PageAction[]])
      .describe(
        'Its deed: `goto` takes `url`; `click`, `expect_visible` and `wait_for` take `target`; `fill` and `select` take `target` and `value`; `press`, `expect_text` and `expect_no_text` take `value` and, if wanted, `target`; `expect_url` takes `value`, a part of the URL.',
      ),
    url: PageUrl.optional().describe('The page of `goto`, which may be relative to the present one.'),
    by: z
      .enum(Object.keys(PAGE_SELECTORS) as [PageSelector, ...PageSelector[]])
      .optional()
      .describe(
        'How `target` says what is meant: `text` that is seen there, the `label` of a field, a `role` with a name, such as `button Sign in`, or a `css` selector.',
      )
      .meta({ default: 'text' }),
    target: text(MAX_TARGET_LENGTH)
      .min(1)
      .optional()
      .describe('The part of the page that is meant: the first one that is seen.'),
    value: text(MAX_VALUE_LENGTH)
      .min(1)
      .optional()
      .describe(
        'The text to fill in, the key to press (such as `Enter`), the option to select, or the text or part of a URL that is expected. It may refer to `{{secret.NAME}}`, `{{uuid}}` and `{{now}}`.',
      ),
    timeout_seconds: z
      .int()
      .min(1)
      .max(MAX_PAGE_STEP_SECONDS)
      .optional()
      .describe('Time limit of this step, within that of the whole check. Without it, what is left of that.'),
  })
  .superRefine(({ action, by, target, ...step }, context) => {
    const entry: ActionEntry = PAGE_ACTIONS[action]
    const parts = { ...step, target }
    for (const part of PARTS) {
      if (entry[part] === 'needed' && parts[part] === undefined)
        context.addIssue(issueAt([part], said('is required for {action}', { action })))
      if (entry[part] === 'none' && parts[part] !== undefined)
        context.addIssue(issueAt([part], said('must be left out for {action}', { action })))
    }
    if (by !== undefined && target === undefined)
      context.addIssue(issueAt(['by'], said('must be left out without a target')))
    if (by === 'role' && target !== undefined && readRole(target) === null)
      context.addIssue(issueAt(['target'], said('must begin with a role, such as button Sign in')))
  })
export type PageStep = z.infer<typeof PageStep>

/** A step in words: `click button "Sign in"`. The value that is filled in is a secret, and no part of them. */
export function targetWords({ by = 'text', target = '' }: Pick<PageStep, 'by' | 'target'>): string {
  if (by !== 'role') return by === 'css' ? target : `${by === 'label' ? 'field' : 'text'} "${target}"`
  const { role, name } = readRole(target) ?? { role: target, name: null }
  return name === null ? role : `${role} "${name}"`
}
