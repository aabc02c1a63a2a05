import { useState } from 'react'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { useTeam } from '../../data/session.ts'
import { PageFrame } from './page-frame.tsx'
import { PageDelete } from './settings/delete.tsx'
import { PageDomains } from './settings/domains.tsx'
import { PageFacts } from './settings/facts.tsx'
import { PrivateFeeds } from './settings/feeds.tsx'
import { PageSettingsForm } from './settings/form.tsx'
import { PageLogo } from './settings/logo.tsx'
import { PagePassword } from './settings/password.tsx'

export default function StatusPageSettings() {
  return <PageFrame>{(page) => <Settings page={page} />}</PageFrame>
}

function Settings({ page }: { page: StatusPageDetail }) {
  const { may } = useTeam()
  const [visibility, setVisibility] = useState<string>(page.visibility)
  if (!may('write')) return <PageFacts page={page} />
  return (
    <>
      <PageSettingsForm page={page} onVisibility={setVisibility} />
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] items-start gap-x-5 gap-y-8 xl:grid-cols-2">
        <PageLogo page={page} />
        {(visibility === 'password' || page.has_password) && <PagePassword page={page} />}
        <PageDomains page={page} />
        <PrivateFeeds page={page} />
      </div>
      {/* Apart from what can be undone. */}
      <div className="mt-8 border-t border-line pt-8">
        <PageDelete page={page} />
      </div>
    </>
  )
}
