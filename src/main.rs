fn main(){
 let p=flowline::import::Progress::default();
 for f in std::env::args().skip(1) {
 match flowline::import::open(std::path::Path::new(&f), Default::default(), &p) {
  Ok(i)=>{ let p=&i.profile; println!("{f}: {} threads {} markers {} incomplete {} procs, {:?} range {:?} bytes/marker {}", p.threads.len(), p.marker_count(), p.incomplete_count(), p.processes.len(), i.timings, p.meta.range, p.bytes()/p.marker_count().max(1));
   for w in p.warnings.list() { println!("   {} {} {}", w.kind.name(), w.count, w.first); } }
  Err(e)=>println!("{f}: {e}") } }
}
