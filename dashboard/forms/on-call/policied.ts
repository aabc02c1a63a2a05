import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { useNotices } from '../../app/notices.tsx'
import { ask } from '../../data/ask.ts'
import type { FormParts } from '../use-form.ts'

/** Empty while it stays as it is; NO_POLICY, or the id of another one. */
export const POLICY = 'policy_id'
export const NO_POLICY = 'none'

const SETTING = { monitor: 'setMonitorPolicy', server: 'setServerPolicy', site: 'setSitePolicy' } as const

type Policied<Body> = { body: Body; policyId: number | null | undefined }

/**
 * Adds the escalation policy to a form. It is not part of the record that is sent: of a new one it is chosen once that
 * exists. `record`: the one that is edited.
 */
export function usePolicied<Body, Answer extends { id: number }>(
  parts: FormParts<Body, Answer>,
  { team, kind, record }: { team: number; kind: SubjectKind; record: Answer | undefined },
): FormParts<Policied<Body>, Answer> {
  const say = useNotices()
  return {
    initial: { ...parts.initial, [POLICY]: '' },
    names: [...parts.names, POLICY],
    judge(draft, before) {
      const judged = parts.judge(draft, before)
      if (!judged.ok) return judged
      const held = String(draft[POLICY] ?? '')
      const policyId = held === '' ? undefined : held === NO_POLICY ? null : Number(held)
      return { ok: true, value: { body: judged.value, policyId } }
    },
    latest: parts.latest,
    async send({ body, policyId }) {
      const answer = await parts.send(body)
      if (policyId === undefined) return answer
      const setting = ask(team, SETTING[kind], { id: answer.id, body: { policy_id: policyId } })
      // A new record is there already: sending it again would make another.
      await (record ? setting : setting.catch(say.problem))
      return answer
    },
    onDone: parts.onDone,
  }
}
