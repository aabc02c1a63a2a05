import * as z from 'zod'
import { phrase } from '../../../language/phrase.ts'
import { issueAt, said } from '../../../language/said.ts'
import {
  MAX_PAGE_STEPS,
  PAGE_ACTIONS,
  PAGE_SELECTORS,
  type PageAction,
  PageStep,
} from '../../browser/page-step.ts'
import { hasOption } from '../../monitor-types.ts'
import { MADE_NAMES, referencesIn, secretNamed } from '../../steps/template.ts'
import type { Option, OptionFault } from '../option.ts'

/** The steps of one check in a browser, in order. */
export const PageSteps = z
  .array(PageStep)
  .min(1)
  .max(MAX_PAGE_STEPS)
  .superRefine((steps, context) => {
    const names = new Set<string>()
    for (const [index, { name, value = '' }] of steps.entries()) {
      if (names.has(name))
        context.addIssue(issueAt([index, 'name'], said('must not be the name of an earlier step')))
      names.add(name)
      for (const reference of referencesIn(value))
        if (secretNamed(reference) === null && !(MADE_NAMES as readonly string[]).includes(reference))
          context.addIssue(
            issueAt(
              [index, 'value'],
              said('refers to {name}, which is none of the secrets', { name: reference }),
            ),
          )
    }
  })
export type PageSteps = z.infer<typeof PageSteps>

function unknownSecrets(steps: PageSteps, secrets: unknown): OptionFault[] {
  return steps.flatMap(({ value = '' }, index) =>
    referencesIn(value).flatMap((reference): OptionFault[] => {
      const name = secretNamed(reference)
      if (name === null || Object.hasOwn((secrets as object | null | undefined) ?? {}, name)) return []
      return [
        {
          at: [index, 'value'],
          message: said('refers to {name}, which is none of the secrets', { name: reference }),
        },
      ]
    }),
  )
}

/** The pages that steps name by whole URLs. */
export function pagesIn(steps: PageSteps): { at: string[]; url: string }[] {
  return steps.flatMap(({ url }, index) => {
    const written = url === undefined ? null : URL.parse(url)
    return written ? [{ at: [String(index), 'url'], url: written.href }] : []
  })
}

/** The steps of a check in a browser. */
export const BROWSER = {
  browser_steps: {
    schema: PageSteps,
    description:
      'Steps in the browser, 1 to 30, one after the other, once the `url` has loaded. Without any, the check passes if the page loads.',
    group: 'request',
    label: phrase('Steps in the browser'),
    hint: phrase(
      'The page of the URL is opened first. The steps follow, one after the other; the check passes if each does.',
    ),
    has: (type) => hasOption(type, 'browser_steps'),
    default: null,
    parts: {
      name: { label: phrase('Name') },
      action: {
        label: phrase('Action'),
        choices: Object.fromEntries(
          Object.entries(PAGE_ACTIONS).map(([action, { word }]) => [action, word]),
        ) as Record<PageAction, string>,
      },
      url: {
        label: 'URL',
        hint: phrase('To open a page: a full URL, or one relative to the present page, such as /basket.'),
      },
      by: { label: phrase('Find by'), choices: PAGE_SELECTORS },
      target: {
        label: phrase('What is meant'),
        hint: phrase(
          'Text that is seen, the label of a field, a role with its name such as button Sign in, or a CSS selector.',
        ),
      },
      value: {
        label: phrase('Value'),
        hint: phrase(
          'The text to fill in or to expect, a key such as Enter, an option, or a part of a URL. Write a secret as secret.NAME in double braces.',
        ),
      },
      timeout_seconds: {
        label: phrase('Timeout in seconds'),
        hint: phrase('1 to 60, within the timeout of the whole check.'),
        isMore: true,
      },
    },
    secrets: [{ at: ['*', 'value'], shownTo: 'admins', keptBy: 'name' }],
    clashes: (value, _around, { secrets }) => unknownSecrets(value as PageSteps, secrets),
    addresses: (value) => pagesIn(value as PageSteps),
  },
} as const satisfies Record<string, Option>
