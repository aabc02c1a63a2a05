import { PageHead } from '../parts/panel.tsx'

export default function MonitorNew() {
  return <PageHead title="New monitor" />
}
