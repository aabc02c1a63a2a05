import { useQuery } from '@tanstack/react-query'
import * as z from 'zod'
import { operationOf, SUBJECTS } from '../../../src/contract/subjects.ts'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import type { AppliedPolicy } from '../../../src/core/on-call/policy.ts'
import { ask, question } from '../../data/ask.ts'
import { t } from '../../language/language.ts'
import { useNotices } from '../../parts/feedback/notices.tsx'
import { whoChanged } from '../collision.ts'
import { controlsOf } from '../controls.ts'
import type { Held } from '../draft.ts'
import type { FormParts } from '../use-form.ts'

/** The member of a draft: NO_POLICY, or the id of one. */
export const POLICY = 'policy_id'
export const NO_POLICY = 'none'

const POLICY_CONTROLS = controlsOf(z.object({ [POLICY]: z.string() }))

export function usePolicies(team: number) {
  return useQuery(question(team, 'listEscalationPolicies', {})).data?.data ?? []
}

/** `policyId` is undefined while it stays as it is. */
type Policied<Body> = { body: Body; policyId: number | null | undefined }

/**
 * Adds the escalation policy to a form. It is not part of the record that is sent: of a new one it is chosen once that
 * exists. `record`: the one that is edited, `policy`: what it has.
 */
export function usePolicied<Body, Answer extends { id: number }>(
  parts: FormParts<Body, Answer>,
  {
    team,
    kind,
    record,
    policy,
  }: { team: number; kind: SubjectKind; record: Answer | undefined; policy: AppliedPolicy | undefined },
): FormParts<Policied<Body>, Answer> {
  const say = useNotices()
  const setting = operationOf(SUBJECTS, kind, 'set*Policy')
  const policies = usePolicies(team)
  const { latest } = parts
  const sayPolicy = (held: Held | undefined) =>
    policies.find(({ id }) => String(id) === held)?.name ?? t('No policy of its own')
  return {
    initial: { ...parts.initial, [POLICY]: holdPolicy(policy) },
    names: [...parts.names, POLICY],
    judge(draft, before) {
      const judged = parts.judge(draft, before)
      if (!judged.ok) return judged
      const held = draft[POLICY]
      const policyId = held === before[POLICY] ? undefined : held === NO_POLICY ? null : Number(held)
      return { ok: true, value: { body: judged.value, policyId } }
    },
    latest: latest &&
      record && {
        controls: { ...latest.controls, ...POLICY_CONTROLS },
        async read() {
          const asked = ask(team, operationOf(SUBJECTS, kind, 'get*Policy'), { id: record.id })
          return { ...(await latest.read()), [POLICY]: holdPolicy((await asked).data) }
        },
        async who(names) {
          const own = names.filter((name) => name !== POLICY)
          const other = own.length > 0 ? await latest.who(own) : null
          if (other || own.length === names.length) return other
          return whoChanged(team, { id: record.id, actions: [setting] }, [POLICY])
        },
        labelOf: (name) => (name === POLICY ? t('Escalation policy') : latest.labelOf(name)),
        say: (name, draft) => (name === POLICY ? sayPolicy(draft[POLICY]) : latest.say?.(name, draft)),
      },
    async send({ body, policyId }) {
      const answer = await parts.send(body)
      if (policyId === undefined) return answer
      const chosen = ask(team, setting, { id: answer.id, body: { policy_id: policyId } })
      // A new record is there already: sending it again would make another.
      await (record ? chosen : chosen.catch(say.problem))
      return answer
    },
    onDone: parts.onDone,
  }
}

function holdPolicy(policy: AppliedPolicy | undefined): string {
  return String(policy?.policy_id ?? NO_POLICY)
}
