import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { INCIDENTS, operationOf } from '../../../src/contract/subjects.ts'
import type { SubjectRef } from '../../../src/core/maintenance/subject-kind.ts'
import type { IncidentPage } from '../../../src/core/status-pages/shown-post.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { aboutSearch } from '../../data/status-pages/post-search.ts'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Row, Rows } from '../../parts/rows.tsx'

/** The status pages that show the subject of an incident, and what they say about it. */
export function IncidentPosts({ incident, subject }: { incident: number; subject: SubjectRef }) {
  const { id: team } = useTeam()
  const { data } = useQuery(
    question(team, operationOf(INCIDENTS, subject.kind, 'list*Pages'), { id: incident }),
  )
  if (!data || data.data.length === 0) return null
  return (
    <Panel title={t('On status pages')}>
      <Rows label={t('On status pages')}>
        {data.data.map((page) => (
          <Row key={page.id} title={page.name} actions={<PostLink page={page} subject={subject} />}>
            {page.post_id === null ? t('Not posted.') : t('Posted.')}
          </Row>
        ))}
      </Rows>
    </Panel>
  )
}

function PostLink({ page, subject }: { page: IncidentPage; subject: SubjectRef }) {
  const { id, may } = useTeam()
  const params = { team: String(id), page: String(page.id) }
  const look = buttonLook('plain', 'small')
  if (page.post_id !== null) {
    return (
      <Link
        to="/teams/$team/status-pages/$page/posts/$post"
        params={{ ...params, post: String(page.post_id) }}
        className={look}
      >
        {t('View post')}
      </Link>
    )
  }
  if (!may('write')) return null
  return (
    <Link
      to="/teams/$team/status-pages/$page/posts/new"
      params={params}
      search={aboutSearch([subject])}
      className={look}
    >
      {t('Post about it')}
    </Link>
  )
}
