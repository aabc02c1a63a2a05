import { PageHead } from '../parts/panel.tsx'

export default function DeletedMonitors() {
  return <PageHead title="Deleted monitors" />
}
