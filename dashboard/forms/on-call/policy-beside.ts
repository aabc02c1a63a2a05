import { useQuery } from '@tanstack/react-query'
import * as z from 'zod'
import { operationOf, SUBJECTS } from '../../../src/contract/subjects.ts'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import type { AppliedPolicy } from '../../../src/core/on-call/policy.ts'
import { ask, question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import type { Beside } from '../beside.ts'
import { controlsOf } from '../controls.ts'
import type { Held } from '../draft.ts'

/** The member of a draft: NO_POLICY, or the id of one. */
export const POLICY = 'policy_id'
export const NO_POLICY = 'none'

const POLICY_CONTROLS = controlsOf(z.object({ [POLICY]: z.string() }))

export function usePolicies(team: number) {
  return useQuery(question(team, 'listEscalationPolicies', {})).data?.data ?? []
}

/**
 * The escalation policy of a subject. `policy`: what an existing one has. `begun`: with which the form
 * of a new one begins.
 */
export function usePolicyBeside(
  team: number,
  kind: SubjectKind,
  policy: AppliedPolicy | undefined,
  begun?: Held,
): Beside {
  const setting = operationOf(SUBJECTS, kind, 'set*Policy')
  const policies = usePolicies(team)
  return {
    name: POLICY,
    label: t('Escalation policy'),
    controls: POLICY_CONTROLS,
    held: begun ?? holdPolicy(policy),
    setting,
    judge(held, before) {
      const policy_id = held === NO_POLICY ? null : Number(held)
      return {
        ok: true,
        value:
          held === (begun === undefined ? before : NO_POLICY)
            ? null
            : (id) => ask(team, setting, { id, body: { policy_id } }),
      }
    },
    read: async (id) => holdPolicy((await ask(team, operationOf(SUBJECTS, kind, 'get*Policy'), { id })).data),
    say: (held) => policies.find(({ id }) => String(id) === held)?.name ?? t('No policy of its own'),
  }
}

function holdPolicy(policy: AppliedPolicy | undefined): string {
  return String(policy?.policy_id ?? NO_POLICY)
}
