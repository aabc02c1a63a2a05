import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Siren } from 'lucide-react'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import type { EscalationPolicy } from '../../../src/core/on-call/policy.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { sayKindCounts } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Empty, Panel } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'

/** The escalation policies of the team, by name. */
export function Policies() {
  const { id: team, may } = useTeam()
  const policies = useQuery(question(team, 'listEscalationPolicies', {}))
  const add = may('write') && (
    <Link
      to="/teams/$team/on-call/policies/new"
      params={{ team: String(team) }}
      className={buttonLook('plain', 'small')}
    >
      {t('New policy')}
    </Link>
  )
  return (
    <Panel title={t('Escalation policies')} actions={add}>
      <Answered answer={policies}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon={Siren} title={t('No escalation policies yet')}>
              {may('write')
                ? t('A policy alerts more people, step by step, until someone acknowledges.')
                : t('An owner or admin of this team can create one.')}
            </Empty>
          ) : (
            <Rows label={t('Escalation policies')}>
              {data.map((policy) => (
                <PolicyLine key={policy.id} policy={policy} />
              ))}
            </Rows>
          )
        }
      </Answered>
    </Panel>
  )
}

function PolicyLine({ policy }: { policy: EscalationPolicy }) {
  const { id: team } = useTeam()
  const { id, name, steps, tags } = policy
  return (
    <Row
      title={
        <Link
          to="/teams/$team/on-call/policies/$policy"
          params={{ team: String(team), policy: String(id) }}
          className="hover:underline"
        >
          {name}
        </Link>
      }
    >
      <p>{t('{count, plural, one {# step} other {# steps}}', { count: steps.length })}</p>
      <p>{sayUse(policy)}</p>
      {tags.length > 0 && <p>{t('By tags: {tags}', { tags: tags.join(', ') })}</p>}
    </Row>
  )
}

/** How many subjects have a policy of their own. */
export function sayUse(policy: Pick<EscalationPolicy, `${SubjectKind}s_count`>): string {
  const things = sayKindCounts((kind) => policy[`${kind}s_count`])
  return things.length > 0
    ? t('Chosen by {things}', { things: sayList(things) })
    : t('Not chosen by anything')
}
