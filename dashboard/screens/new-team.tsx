import { PageHead } from '../parts/panel.tsx'

export default function NewTeam() {
  return <PageHead title="New team" />
}
