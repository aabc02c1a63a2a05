import { PageHead } from '../parts/panel.tsx'

export default function Incident() {
  return <PageHead title="Incident" />
}
