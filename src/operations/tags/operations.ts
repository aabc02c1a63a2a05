export {
  changeTags,
  getMonitorTags,
  listMonitorTags,
  listTags,
  setMonitorTags,
  setServerTags,
  setSiteTags,
} from './tags.ts'
