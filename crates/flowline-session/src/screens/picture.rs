//! A picture in memory.

/// A picture: opaque pixels as RGBA, row by row from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Pixels per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Four bytes per pixel.
    pub pixels: Vec<u8>,
}

impl Picture {
    /// The picture at most `width` pixels wide. A pixel is the mean of those that it covers.
    #[must_use]
    pub(super) fn reduced_to(self, width: usize) -> Self {
        if self.width <= width || width == 0 {
            return self;
        }
        let height = (self.height * width / self.width).max(1);
        let mut pixels = Vec::with_capacity(width * height * 4);
        for y in 0..height {
            let rows = part(y, height, self.height);
            for x in 0..width {
                pixels.extend(self.mean(part(x, width, self.width), rows.clone()));
            }
        }
        Self { width, height, pixels }
    }

    fn mean(&self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> [u8; 4] {
        let mut sums = [0_u64; 4];
        let count = (columns.len() * rows.len()).max(1) as u64;
        for row in rows {
            let start = row * self.width;
            for pixel in self.pixels[(start + columns.start) * 4..(start + columns.end) * 4].chunks_exact(4) {
                sums.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u64::from(*part));
            }
        }
        sums.map(|sum| u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX))
    }
}

/// The pixels of a line of `of` pixels that pixel `at` of `count` covers.
fn part(at: usize, count: usize, of: usize) -> std::ops::Range<usize> {
    let start = at * of / count;
    start..((at + 1) * of / count).max(start + 1)
}

#[cfg(test)]
mod tests {
    use super::Picture;

    #[test]
    fn reduced_pictures_keep_their_mean() {
        let pixels: Vec<u8> = (0..8 * 4).flat_map(|at: u8| [at * 7, 255 - at, at, 255]).collect();
        let picture = Picture { width: 8, height: 4, pixels };
        let mean = |picture: &Picture, part: usize| {
            let parts = picture.pixels.iter().skip(part).step_by(4);
            parts.map(|part| f64::from(*part)).sum::<f64>() / (picture.width * picture.height) as f64
        };
        let small = picture.clone().reduced_to(4);
        assert_eq!((small.width, small.height, small.pixels.len()), (4, 2, 32));
        for part in 0..4 {
            assert!((mean(&picture, part) - mean(&small, part)).abs() <= 0.5);
        }
        assert_eq!(picture.clone().reduced_to(8), picture);
        assert_eq!(picture.reduced_to(1).height, 1);
    }
}
