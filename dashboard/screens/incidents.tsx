import { PageHead } from '../parts/panel.tsx'

export default function Incidents() {
  return <PageHead title="Incidents" />
}
