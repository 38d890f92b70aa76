//! Reads the tables of processed profiles: those of a thread, and since version 60 those of `shared`.

use super::function_columns::SourceColumns;
use super::stack_columns::StackColumns;
use crate::firefox::document::slabs::Slabs;
use crate::firefox::threads::columns::{for_each_element, integers};
use crate::firefox::threads::number_columns::{addresses, flags};
use crate::firefox::threads::sentinels::NONE;
use flowline_json::{Cursor, JsonError, Kind};

type Result<T> = std::result::Result<T, JsonError>;

/// Reads a member of a thread or of `shared` if it is a table of stacks, frames or functions, else returns `None`.
///
/// # Errors
/// If the text is damaged; the tables keep everything before the damage.
pub(in crate::firefox) fn read_member<'a>(
    key: &[u8],
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    tables: &mut StackColumns,
    sources: &mut SourceColumns,
) -> Option<Result<()>> {
    let StackColumns { stacks, frames, functions } = tables;
    Some(match key {
        b"stackTable" => {
            let mut offsets = Vec::new();
            let result = table(cursor, slabs, |key, cursor| {
                let column = match key {
                    b"frame" => &mut stacks.frame,
                    b"prefix" => &mut stacks.prefix,
                    b"prefixOffset" => &mut offsets,
                    b"category" => &mut stacks.category,
                    b"subcategory" => &mut stacks.subcategory,
                    _ => return cursor.skip_value(),
                };
                fresh(column, |column| integers(cursor, slabs, column))
            });
            if !offsets.is_empty() {
                stacks.prefix = offsets;
                (0..).zip(&mut stacks.prefix).for_each(|(own, offset)| *offset = caller(own, *offset));
            }
            result
        }
        b"frameTable" => table(cursor, slabs, |key, cursor| {
            let column = match key {
                b"address" => return fresh(&mut frames.address, |column| addresses(cursor, slabs, column)),
                b"func" => &mut frames.func,
                b"line" => &mut frames.line,
                b"column" => &mut frames.column,
                b"category" => &mut frames.category,
                b"subcategory" => &mut frames.subcategory,
                b"nativeSymbol" => &mut frames.native_symbol,
                b"inlineDepth" => &mut frames.inline_depth,
                b"implementation" => &mut frames.implementation,
                b"originalLocation" => &mut frames.original,
                _ => return cursor.skip_value(),
            };
            fresh(column, |column| integers(cursor, slabs, column))
        }),
        b"funcTable" => table(cursor, slabs, |key, cursor| {
            let column = match key {
                b"isJS" => return fresh(&mut functions.is_js, |column| flags(cursor, slabs, column)),
                b"relevantForJS" => {
                    return fresh(&mut functions.relevant_for_js, |column| flags(cursor, slabs, column));
                }
                b"name" => &mut functions.name,
                b"resource" => &mut functions.resource,
                b"source" => &mut functions.source,
                b"fileName" => &mut functions.file,
                b"lineNumber" => &mut functions.line,
                b"columnNumber" => &mut functions.column,
                b"originalLocation" => &mut functions.original,
                _ => return cursor.skip_value(),
            };
            fresh(column, |column| integers(cursor, slabs, column))
        }),
        b"resourceTable" => table(cursor, slabs, |key, cursor| {
            let column = match key {
                b"name" => &mut functions.resource_name,
                b"type" => &mut functions.resource_kind,
                _ => return cursor.skip_value(),
            };
            fresh(column, |column| integers(cursor, slabs, column))
        }),
        b"nativeSymbols" => table(cursor, slabs, |key, cursor| {
            let column = match key {
                b"address" => return fresh(&mut functions.symbol_address, |column| addresses(cursor, slabs, column)),
                b"libIndex" => &mut functions.symbol_library,
                b"name" => &mut functions.symbol_name,
                _ => return cursor.skip_value(),
            };
            fresh(column, |column| integers(cursor, slabs, column))
        }),
        b"sources" => table(cursor, slabs, |key, cursor| {
            let column = match key {
                b"id" | b"uuid" => &mut sources.id,
                b"filename" => &mut sources.file,
                _ => return cursor.skip_value(),
            };
            fresh(column, |column| integers(cursor, slabs, column))
        }),
        b"sourceLocationTable" => table(cursor, slabs, |key, cursor| {
            let column = match key {
                b"source" => &mut sources.place_source,
                b"line" => &mut sources.place_line,
                b"column" => &mut sources.place_column,
                _ => return cursor.skip_value(),
            };
            fresh(column, |column| integers(cursor, slabs, column))
        }),
        b"libs" => read_libraries(cursor, slabs, &mut functions.libraries),
        _ => return None,
    })
}

/// The caller of a stack, which is written as the distance to it; 0 and invalid distances mean no caller.
fn caller(own: u32, offset: u32) -> u32 {
    match offset {
        0 | NONE => NONE,
        // A caller before the start of the table does not exist.
        offset => own.checked_sub(offset).unwrap_or(NONE - 1),
    }
}

/// Reads a column and replaces earlier values: the last of repeated keys wins.
fn fresh<T>(column: &mut Vec<T>, read: impl FnOnce(&mut Vec<T>) -> Result<()>) -> Result<()> {
    column.clear();
    read(column)
}

/// Reads a table of columns, inline or in a slab. A column of the wrong type is skipped; its error is returned after
/// the whole table has been read, unless the column is null.
fn table<'a>(
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    mut column: impl FnMut(&[u8], &mut Cursor<'a>) -> Result<()>,
) -> Result<()> {
    let mut inside;
    let cursor = match slabs.follow(cursor)? {
        Some(followed) => {
            inside = followed;
            &mut inside
        }
        None => cursor,
    };
    let mut wrong = Ok(());
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        let is_null = cursor.peek()? == Kind::Null;
        match column(key.bytes, cursor) {
            Err(error) if error.is_wrong_type() => {
                if !is_null {
                    wrong = Err(error);
                }
            }
            other => other?,
        }
    }
    wrong
}

/// Reads the library names of a list of objects, as offsets of strings in the text; libraries without a name keep their
/// number.
pub(in crate::firefox) fn read_libraries<'a>(
    cursor: &mut Cursor<'a>,
    slabs: &Slabs<'a>,
    names: &mut Vec<u64>,
) -> Result<()> {
    names.clear();
    for_each_element(cursor, slabs, |cursor| {
        let mut name = u64::MAX;
        if cursor.peek()? != Kind::Object {
            names.push(name);
            return cursor.skip_value();
        }
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            if key.bytes == b"name" {
                cursor.peek()?;
                name = cursor.offset() as u64;
            }
            cursor.skip_value()?;
        }
        names.push(name);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_callers_become_numbers() {
        let text = br#"{"prefixOffset":[0,1,1,9,null,-1],"frame":[0,1,2,3,4,5],"length":6}       "#;
        let (mut tables, mut sources) = (StackColumns::default(), SourceColumns::default());
        let result = read_member(b"stackTable", &mut Cursor::at(text, 0), &Slabs::default(), &mut tables, &mut sources);
        assert!(matches!(result, Some(Ok(()))));
        assert_eq!(tables.stacks.prefix, [NONE, 0, 1, NONE - 1, NONE, NONE]);
        assert_eq!(tables.stack_count(), 6);
    }
}
