//! States the features of dependencies that the program, its tests and the query engine share. It contains no code: see its
//! manifest.
